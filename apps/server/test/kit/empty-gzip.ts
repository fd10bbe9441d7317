import { gzipSync } from 'node:zlib'

/** The beginning of a compressed body that contains nothing, however long it is: empty blocks. */
export const emptyGzip = (bytes: number) =>
  Buffer.concat([gzipSync('').subarray(0, 10), Buffer.from('000000ffff'.repeat(bytes / 5), 'hex')])
