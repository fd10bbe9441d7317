// Verifies the chain of audit checkpoints. It reads them newest first. An export may have several parts, each with
// newer checkpoints than the part before it.
//
// A checkpoint has a number, a range of positions, and the statement that the service signed (`signed`). The
// statement repeats every field. `previous_hash` is the SHA-256 of the statement of the checkpoint before it.
//
// Example: the checkpoints 3, 2 and 1 arrive. The signature and the fields of each are compared with its
// statement. When 2 arrives, `previous_hash` of 3 must be the hash of 2, and the positions of 3 must start
// directly after those of 2. At the end, 1 must be the oldest and must have no `previous_hash`. If a second part
// with 5 and 4 follows, 4 must continue 3.
//
// Faults: `key_unknown`, `signature_invalid`, `checkpoint_altered`, `checkpoint_missing`, `chain_broken`.
// The chain alone cannot show that its newest checkpoints were removed. Archived checkpoints show that.
import { createPublicKey, hash, verify } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import type { ArchivedCheckpoint } from './archived-checkpoints.ts'
import type { ReportFault } from './audit-entries.ts'

type Checkpoint = Schemas['AuditCheckpoint']
type Keys = ReadonlyMap<string, Schemas['AuditKey']>

export function createChainVerifier(
  keys: Keys,
  archived: readonly ArchivedCheckpoint[],
  reportFault: ReportFault,
  first: number | undefined,
) {
  const archivedByNumber = Map.groupBy(archived, ({ checkpoint }) => checkpoint)
  let newest: Checkpoint | undefined
  let newestOfEarlierParts: Checkpoint | undefined
  let successor: Checkpoint | undefined

  /** The oldest checkpoint of a part continues the part before it, or is `first`. */
  function endPart(): void {
    const oldest = successor
    if (!oldest) return
    const before = newestOfEarlierParts
    const isFirstOfAll = oldest.checkpoint === 1
    if (oldest.checkpoint !== (before ? before.checkpoint + 1 : (first ?? 1)))
      reportFault(Math.max(1, oldest.checkpoint - 1), 'checkpoint_missing')
    else if (
      before
        ? !isLinked(oldest, before)
        : isFirstOfAll !== (oldest.previous_hash === null) || isFirstOfAll !== (oldest.first_position === 1)
    )
      reportFault(oldest.checkpoint, 'chain_broken')
  }

  return {
    add(checkpoint: Checkpoint): void {
      const { checkpoint: number } = checkpoint
      if (newest && number > newest.checkpoint) {
        endPart()
        newestOfEarlierParts = newest
        newest = successor = undefined
      }
      newest ??= checkpoint
      const fault = faultOf(checkpoint, keys.get(checkpoint.kid))
      if (fault) reportFault(number, fault)
      if (archivedByNumber.get(number)?.some((copy) => !isSame(copy, checkpoint)))
        reportFault(number, 'checkpoint_altered')
      if (successor && successor.checkpoint !== number + 1) reportFault(number + 1, 'checkpoint_missing')
      else if (successor && !isLinked(successor, checkpoint))
        reportFault(successor.checkpoint, 'chain_broken')
      successor = checkpoint
    },
    end(): void {
      endPart()
      const newestNumber = newest?.checkpoint ?? 0
      // A range may end before the copies.
      if (first === undefined && archived.some(({ checkpoint }) => checkpoint > newestNumber))
        reportFault(newestNumber + 1, 'checkpoint_missing')
    },
  }
}

/** A log line names only the root, so there may be no statement to compare. */
const isSame = (archived: ArchivedCheckpoint, { root, signed }: Checkpoint): boolean =>
  archived.root === root && (archived.signed === undefined || archived.signed === signed)

function faultOf(
  { signed, signature, ...fields }: Checkpoint,
  key: Schemas['AuditKey'] | undefined,
): Schemas['AuditFault']['what'] | undefined {
  if (!key) return 'key_unknown'
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  if (!verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url')))
    return 'signature_invalid'
  const statement = Object.entries(JSON.parse(signed) as Record<string, unknown>)
  const isEqual = statement.every(([name, value]) => fields[name as keyof typeof fields] === value)
  return isEqual && statement.length === Object.keys(fields).length ? undefined : 'checkpoint_altered'
}

const isLinked = (successor: Checkpoint, checkpoint: Checkpoint): boolean =>
  successor.previous_hash === hash('sha256', checkpoint.signed, 'base64url') &&
  successor.first_position === checkpoint.last_position + 1
