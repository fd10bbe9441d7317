import type { Service } from '../../../operation.ts'
import { findSigner, hashCheckpoint, isSignedBy, MOST_LEAVES, readStatement } from '../../checkpoint.ts'
import { compareRows } from '../../leaf.ts'
import { checkLeaves, type Finding } from './check-leaves.ts'
import { findAdded, findLastPlace, findLeaves, type LeafRow, type SaltedCheckpoint } from './store.ts'

/** Checks one checkpoint and every event under it. `before`: the one it must follow. */
export async function checkCheckpoint(
  { db, keys }: Service,
  checkpoint: SaltedCheckpoint,
  before: SaltedCheckpoint | undefined,
): Promise<{ rows: number; finding: Finding | undefined }> {
  const signer = findSigner(keys, checkpoint)
  if (!signer) return ofItself('key_unknown')
  if (!isSignedBy(signer, checkpoint)) return ofItself('signature_invalid')
  const statement = readStatement(checkpoint)
  if (statement.checkpoint !== checkpoint.number) return ofItself('checkpoint_altered')
  if (statement.previous_hash !== (before ? hashCheckpoint(before) : null)) return ofItself('chain_broken')
  // Its hash is signed for: it can be read.
  const previous = before && readStatement(before)
  if (statement.first_position !== (previous?.last_position ?? 0) + 1) return ofItself('chain_broken')
  const leaves = await findLeaves(db, checkpoint.number, MOST_LEAVES + 1)
  const { salt } = checkpoint
  const finding = await checkLeaves(leaves, { ...statement, salt, newest_before: previous?.latest_event_at ?? null })
  const added = await findAddedAmong(db, leaves, checkpoint.number)
  const isAddedFirst = added && (finding?.position ?? Infinity) > added.position!
  return { rows: leaves.length, finding: isAddedFirst ? added : finding }
}

const ofItself = (what: Finding['what']) => ({ rows: 0, finding: { position: null, event: null, what } })

/** The first event that stands among the sealed ones without having been sealed, at the position of the one that it precedes. */
async function findAddedAmong(db: Service['db'], leaves: LeafRow[], number: number): Promise<Finding | undefined> {
  const added = await findAdded(db, await findLastPlace(db, number - 1), await findLastPlace(db, number))
  if (!added) return undefined
  const position = leaves.findIndex(({ event }) => event && compareRows(event, added) > 0)
  return { position: Math.max(position, 0), event: added.id, what: 'event_added' }
}
