// The token of a session against requests of other sites (CSRF): an HMAC of the session. The page keeps it in memory and
// sends it with every change.
import { timingSafeEqual } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

export const csrfTokenOf = (keys: KeyRing, sessionHmac: string) => keys.hmac('csrf', sessionHmac)

export const isCsrfToken = (keys: KeyRing, sessionHmac: string, presented: string): boolean =>
  keys.hmacs('csrf', sessionHmac).some((token) => {
    const [expected, actual] = [Buffer.from(token), Buffer.from(presented)]
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  })
