import type { IncomingMessage } from 'node:http'
import { Failure } from '../failure.ts'

/** That of the library. Node keeps 64 KiB of a body that is not read yet. */
const MAX_BYTES = 56 * 1024

/**
 * Waits until a body has come, so that a client that sends it slowly holds no slot meanwhile. The body is not read: the
 * library reads it, and warns of a body that was read before.
 */
export const untilReceived = (req: IncomingMessage): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (failure?: Failure) => {
      req.off('readable', check).off('close', check)
      if (failure) reject(failure)
      else resolve()
    }
    function check(): void {
      if (req.readableLength > MAX_BYTES) settle(new Failure('payload_too_large'))
      else if (req.complete) settle()
      else if (req.destroyed) settle(new Failure('malformed_request', { message: 'The body was cut off' }))
    }
    if (!req.complete) req.on('readable', check).on('close', check)
    check()
  })
