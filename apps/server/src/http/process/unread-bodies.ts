import type { IncomingMessage, ServerResponse } from 'node:http'

/** A part is what Node reads at once: 64 KiB at most, or one chunk, which may have one byte. */
const MAX_PARTS = 256

/**
 * When the response did not wait for the body, Node reads the rest, so that the client gets the response. This
 * limits the work: a body of small chunks would occupy the process until its time limit.
 */
export function limitUnreadBody(req: IncomingMessage, res: ServerResponse): void {
  const { headers } = req
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
  // Before Node's own listener, which would read a request that nothing has read, and discard the parts unseen.
  res.prependOnceListener('finish', () => {
    if (req.complete) return
    let parts = 0
    req.on('data', () => {
      if (++parts > MAX_PARTS) req.socket.destroy()
    })
    req.read(0)
  })
}
