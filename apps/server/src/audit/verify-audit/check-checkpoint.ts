import type { Service } from '../../operation.ts'
import { type Archive, archiveOf } from '../archive/archive.sql.ts'
import { checkMember } from '../archive/check-member.ts'
import { isHistoryUnaltered, readArchivedCheckpoint } from '../archive/read-archive.ts'
import {
  findSigner,
  isSignedBy,
  readStatement,
  hashCheckpoint,
  MAX_LEAVES,
  type Statement,
} from '../checkpoints/checkpoint.ts'
import { compareRows } from '../leaf.ts'
import { type Finding, checkLeaves } from './check-leaves.ts'
import { checkRemaining } from './check-remaining.ts'
import {
  type SaltedCheckpoint,
  findLeaves,
  type LeafRow,
  findAdded,
  findLastPosition,
} from './verify-audit.sql.ts'

/**
 * Checks the signature of a checkpoint, and that it follows the one before. Returns its statement and that of the one before, or what
 * is wrong.
 */
export function checkStatement(
  keys: Service['keys'],
  checkpoint: SaltedCheckpoint,
  before: SaltedCheckpoint | undefined,
): { statement: Statement; previous: Statement | undefined } | Finding['what'] {
  const signer = findSigner(keys, checkpoint)
  if (!signer) return 'key_unknown'
  if (!isSignedBy(signer, checkpoint)) return 'signature_invalid'
  const statement = readStatement(checkpoint)
  if (statement.checkpoint !== checkpoint.number) return 'checkpoint_altered'
  if (statement.previous_hash !== (before ? hashCheckpoint(before) : null)) return 'chain_broken'
  // The signed `previous_hash` covers the text of `before`, so it is unaltered and can be parsed.
  const previous = before && readStatement(before)
  if (statement.first_position !== (previous?.last_position ?? 0) + 1) return 'chain_broken'
  return { statement, previous }
}

/**
 * Checks one checkpoint and every event under it. `before`: the checkpoint that precedes it. `archives`: where the events are that are
 * no longer in the database.
 */
export async function checkCheckpoint(
  service: Service,
  checkpoint: SaltedCheckpoint,
  before: SaltedCheckpoint | undefined,
  archives: Archive[] = [],
): Promise<{ rows: number; finding: Finding | undefined }> {
  const { db, keys } = service
  const checked = checkStatement(keys, checkpoint, before)
  if (typeof checked === 'string') return checkpointFault(checked)
  const archive = archiveOf(archives, checkpoint.number)
  if (archive) {
    const entries = await readArchivedCheckpoint(service, archive, checkpoint.number)
    const finding =
      checkMember(entries, checkpoint) ?? (await checkRemaining(db, entries, checkpoint, archives))
    const isLast = checkpoint.number === archive.last_checkpoint
    if (!finding && isLast && !(await isHistoryUnaltered(service, archive)))
      return checkpointFault('history_altered')
    return { rows: Math.max(0, entries.length - 1), finding }
  }
  const { statement, previous } = checked
  const leaves = await findLeaves(db, checkpoint.number, MAX_LEAVES + 1)
  const { salt } = checkpoint
  const finding = await checkLeaves(leaves, {
    ...statement,
    salt,
    newest_before: previous?.latest_event_at ?? null,
  })
  const added = await findAddedEvent(db, leaves, checkpoint.number)
  const isAddedFirst = added && (finding?.position ?? Infinity) > added.position!
  return { rows: leaves.length, finding: isAddedFirst ? added : finding }
}

const checkpointFault = (what: Finding['what']) => ({
  rows: 0,
  finding: { position: null, event: null, what },
})

/**
 * The first unsealed event between the sealed ones, reported at the position of the sealed event that follows
 * it.
 */
async function findAddedEvent(
  db: Service['db'],
  leaves: LeafRow[],
  number: number,
): Promise<Finding | undefined> {
  const added = await findAdded(
    db,
    await findLastPosition(db, number - 1),
    await findLastPosition(db, number),
  )
  if (!added) return undefined
  const position = leaves.findIndex(({ event }) => event && compareRows(event, added) > 0)
  return { position: Math.max(position, 0), event: added.id, what: 'event_added' }
}
