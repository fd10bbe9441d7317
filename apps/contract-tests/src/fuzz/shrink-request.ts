const MAX_TRIES = 200

/**
 * A smaller request that fails too: leaves out lines, then parts of half, a quarter, an eighth of the bytes
 * and so on, as long as `fails` still returns true.
 */
export async function shrinkRequest(
  bytes: Buffer,
  fails: (smaller: Buffer) => Promise<boolean>,
): Promise<Buffer> {
  let tries = 0
  async function withoutParts(parts: string[], join: string): Promise<string[]> {
    let left = parts
    for (let at = parts.length - 1; at >= 0 && tries < MAX_TRIES; at--, tries++) {
      const smaller = left.toSpliced(at, 1)
      if (await fails(Buffer.from(smaller.join(join), 'latin1'))) left = smaller
    }
    return left
  }
  let text = (await withoutParts(bytes.toString('latin1').split('\r\n'), '\r\n')).join('\r\n')
  for (let size = text.length >> 1; size >= 1 && tries < MAX_TRIES; size >>= 1)
    text = (await withoutParts(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [], '')).join('')
  return Buffer.from(text, 'latin1')
}
