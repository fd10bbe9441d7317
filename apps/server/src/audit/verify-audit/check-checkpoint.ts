import type { Service } from '../../operation.ts'
import {
  findSigner,
  isSignedBy,
  readStatement,
  hashCheckpoint,
  MAX_LEAVES,
} from '../checkpoints/checkpoint.ts'
import { compareRows } from '../leaf.ts'
import { type Finding, checkLeaves } from './check-leaves.ts'
import {
  type SaltedCheckpoint,
  findLeaves,
  type LeafRow,
  findAdded,
  findLastPosition,
} from './verify-audit.sql.ts'

/** Checks one checkpoint and every event under it. `before`: the checkpoint that precedes it. */
export async function checkCheckpoint(
  { db, keys }: Service,
  checkpoint: SaltedCheckpoint,
  before: SaltedCheckpoint | undefined,
): Promise<{ rows: number; finding: Finding | undefined }> {
  const signer = findSigner(keys, checkpoint)
  if (!signer) return checkpointFault('key_unknown')
  if (!isSignedBy(signer, checkpoint)) return checkpointFault('signature_invalid')
  const statement = readStatement(checkpoint)
  if (statement.checkpoint !== checkpoint.number) return checkpointFault('checkpoint_altered')
  if (statement.previous_hash !== (before ? hashCheckpoint(before) : null))
    return checkpointFault('chain_broken')
  // The signed `previous_hash` covers the text of `before`, so it is unaltered and can be parsed.
  const previous = before && readStatement(before)
  if (statement.first_position !== (previous?.last_position ?? 0) + 1) return checkpointFault('chain_broken')
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
