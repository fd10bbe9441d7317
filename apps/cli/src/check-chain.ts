import { createPublicKey, hash, verify } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import type { Blame } from './check-seals.ts'
import type { KeptCheckpoint } from './kept-checkpoints.ts'

type Checkpoint = Schemas['AuditCheckpoint']
type Keys = ReadonlyMap<string, Schemas['AuditKey']>

/** Looks at the checkpoints from the newest down: whether each is signed, and is the one that the one above it follows. */
export function createChain(keys: Keys, kept: readonly KeptCheckpoint[], blame: Blame) {
  const keptByNumber = Map.groupBy(kept, ({ checkpoint }) => checkpoint)
  let [newest, above]: [number, Checkpoint | undefined] = [0, undefined]
  return {
    add(checkpoint: Checkpoint): void {
      const { checkpoint: number } = checkpoint
      newest ||= number
      const fault = faultOf(checkpoint, keys.get(checkpoint.kid))
      if (fault) blame(number, fault)
      if (keptByNumber.get(number)?.some((one) => !isSame(one, checkpoint))) blame(number, 'checkpoint_altered')
      if (above && above.checkpoint !== number + 1) blame(number + 1, 'checkpoint_missing')
      else if (above && !follows(above, checkpoint)) blame(above.checkpoint, 'chain_broken')
      above = checkpoint
    },
    end(): void {
      if (above && above.checkpoint !== 1) blame(above.checkpoint - 1, 'checkpoint_missing')
      else if (above && (above.previous_hash !== null || above.first_position !== 1)) blame(1, 'chain_broken')
      if (kept.some(({ checkpoint }) => checkpoint > newest)) blame(newest + 1, 'checkpoint_missing')
    },
  }
}

/** A line of the log names the root only. */
const isSame = (kept: KeptCheckpoint, { root, signed }: Checkpoint): boolean =>
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
