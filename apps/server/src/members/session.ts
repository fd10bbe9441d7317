// The session of a member in a browser: a random id in a cookie, and a token against requests of other sites (CSRF),
// which is an HMAC of the id. The page keeps the token in memory and sends it with every change.
import { timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import type { Config } from '../config.ts'
import { cookieNameOf, readCookie } from '../network/cookies.ts'
import type { KeyRing } from '../secrets/key-ring.ts'

const SESSION_ID = /^[0-9A-Za-z]{43}$/

/** Without the prefix. */
export const SESSION_COOKIE = 'tiwala-workbench'

export const sessionCookieOf = (config: Pick<Config, 'publicUrl'>) => cookieNameOf(config, SESSION_COOKIE)

export const readSessionId = (req: Request, config: Pick<Config, 'publicUrl'>): string | undefined =>
  readCookie(req, sessionCookieOf(config), SESSION_ID)

export const csrfTokenOf = (keys: KeyRing, sessionHmac: string) => keys.hmac('csrf', sessionHmac)

export const isCsrfToken = (keys: KeyRing, sessionHmac: string, presented: string): boolean =>
  keys.hmacs('csrf', sessionHmac).some((token) => {
    const [expected, actual] = [Buffer.from(token), Buffer.from(presented)]
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  })
