import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports of outgoing connections, one of which could be taken before the caller listens. Above 10080, which
 * `fetch` and browsers refuse ("bad port").
 */
const [FIRST, LAST] = [10_100, 32_000]

/** A free port of this machine, chosen at random: simultaneous callers hardly ever get the same. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
