import { createHash } from 'node:crypto'

/** The tracking number of the nth ended record: spread over the index like real ones, and known to whoever asks for it. */
export const endedTrackingNo = (n: number): string => createHash('md5').update(String(n)).digest('hex').toUpperCase().slice(0, 26)

/** One of them, by chance, that is answered 200: every fourth was accepted once, and is gone (410). */
export function anyEndedTrackingNo(count: number): string {
  const n = 1 + Math.floor(Math.random() * count)
  return endedTrackingNo(n % 4 === 3 ? n - 1 : n)
}
