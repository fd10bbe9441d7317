import { createPublicKey, hash, verify } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import type { ArchivedCheckpoint } from './archived-checkpoints.ts'
import type { ReportFault } from './verify-entries.ts'

type Checkpoint = Schemas['AuditCheckpoint']
type Keys = ReadonlyMap<string, Schemas['AuditKey']>

/** Looks at the checkpoints from the newest down: whether each is signed, and is the one that the one above it follows. */
export function createChainVerifier(keys: Keys, kept: readonly ArchivedCheckpoint[], reportFault: ReportFault) {
  const keptByNumber = Map.groupBy(kept, ({ checkpoint }) => checkpoint)
  let [newest, above]: [number, Checkpoint | undefined] = [0, undefined]
  return {
    add(checkpoint: Checkpoint): void {
      const { checkpoint: number } = checkpoint
      newest ||= number
      const fault = faultOf(checkpoint, keys.get(checkpoint.kid))
      if (fault) reportFault(number, fault)
      if (keptByNumber.get(number)?.some((one) => !isSame(one, checkpoint))) reportFault(number, 'checkpoint_altered')
      if (above && above.checkpoint !== number + 1) reportFault(number + 1, 'checkpoint_missing')
      else if (above && !follows(above, checkpoint)) reportFault(above.checkpoint, 'chain_broken')
      above = checkpoint
    },
    end(): void {
      if (above && above.checkpoint !== 1) reportFault(above.checkpoint - 1, 'checkpoint_missing')
      else if (above && (above.previous_hash !== null || above.first_position !== 1)) reportFault(1, 'chain_broken')
      if (kept.some(({ checkpoint }) => checkpoint > newest)) reportFault(newest + 1, 'checkpoint_missing')
    },
  }
}

/** A line of the log names the root only. */
const isSame = (kept: ArchivedCheckpoint, { root, signed }: Checkpoint): boolean =>
  kept.root === root && (kept.signed === undefined || kept.signed === signed)

function faultOf(
  { signed, signature, ...said }: Checkpoint,
  key: Schemas['AuditKey'] | undefined,
): Schemas['AuditFault']['what'] | undefined {
  if (!key) return 'key_unknown'
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  if (!verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'))) return 'signature_invalid'
  const statement = Object.entries(JSON.parse(signed) as Record<string, unknown>)
  const saysSo = statement.every(([name, value]) => said[name as keyof typeof said] === value)
  return saysSo && statement.length === Object.keys(said).length ? undefined : 'checkpoint_altered'
}

const follows = (above: Checkpoint, checkpoint: Checkpoint): boolean =>
  above.previous_hash === hash('sha256', checkpoint.signed, 'base64url') && above.first_position === checkpoint.last_position + 1
