// An independent verifier of the audit, written from the documents and the RFCs only. It shares no code with
// the server.
import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'

const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
export const leafHash = (leaf: string) => sha256(Buffer.of(0), Buffer.from(leaf))
const nodeHash = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.of(1), left, right)
const decode = (text: string) => Buffer.from(text, 'base64url')

/** RFC 9162, section 2.1.1: splits at the largest power of two below the number of leaves. */
function treeHash(leaves: string[]): Buffer {
  if (leaves.length === 1) return leafHash(leaves[0]!)
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return nodeHash(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

/** RFC 9162, section 2.1.3.2: the root that an inclusion proof gives. */
function rootBy(leaf: string, position: number, size: number, path: string[]): Buffer | undefined {
  if (position >= size) return undefined
  let [fn, sn, r] = [position, size - 1, leafHash(leaf)]
  for (const p of path.map(decode)) {
    if (sn === 0) return undefined
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1]
    } else r = nodeHash(r, p)
    ;[fn, sn] = [fn >> 1, sn >> 1]
  }
  return sn === 0 ? r : undefined
}

type Checkpoint = Schemas['AuditCheckpoint']

/** Whether the key has signed the fields of the checkpoint. */
export function hasValidSignature(
  { signed, signature, ...fields }: Checkpoint,
  key: Schemas['AuditKey'],
): boolean {
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  const saysSo = Object.entries(JSON.parse(signed) as object).every(
    ([name, value]) => fields[name as keyof typeof fields] === value,
  )
  return key.kid === fields.kid && saysSo && verify(null, Buffer.from(signed), publicKey, decode(signature))
}

const sizeOf = ({ first_position, last_position }: Checkpoint) => last_position - first_position + 1

/** Whether the proof is valid. The proof itself holds all necessary data. */
export function isValidProof({ leaf, position, path, checkpoint, key }: Schemas['DisclosureProof']): boolean {
  const root = rootBy(leaf, position, sizeOf(checkpoint), path)
  return hasValidSignature(checkpoint, key) && root?.toString('base64url') === checkpoint.root
}

/** The faults of an export. The checkpoints are in order, starting with the first. */
export function findFaults(
  events: Schemas['AuditEvent'][],
  checkpoints: Checkpoint[],
  keys: Schemas['AuditKey'][],
): string[] {
  return checkpoints.flatMap((checkpoint, index) => {
    const { checkpoint: number, kid, previous_hash, root } = checkpoint
    const before = checkpoints[index - 1]
    const key = keys.find((each) => each.kid === kid)
    const leaves = events
      .flatMap(({ seal }) => (seal?.checkpoint === number ? [seal] : []))
      .toSorted((a, b) => a.position - b.position)
      .map(({ leaf }) => leaf)
    return [
      (!key || !hasValidSignature(checkpoint, key)) && `${number} is not signed`,
      number !== index + 1 && `${number} stands at ${index + 1}`,
      previous_hash !== (before ? sha256(Buffer.from(before.signed)).toString('base64url') : null) &&
        `${number} follows another`,
      checkpoint.first_position !== (before?.last_position ?? 0) + 1 && `${number} leaves a gap`,
      leaves.length !== sizeOf(checkpoint) && `${number} has ${leaves.length} leaves`,
      treeHash(leaves).toString('base64url') !== root && `${number} has another root`,
    ].filter((fault) => fault !== false)
  })
}
