import { randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'

export type Customer = {
  id: string
  name: string
  /** `YYYY-MM-DD`. The citizen or the registry may leave it out. */
  birthDate?: string | undefined
  idToken?: string | undefined
}
/** A browser that is signing in, with what the answer must match; or one that is signed in. */
export type Session =
  | { openid: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string } }
  | { exchangeState: string }
  | { customer: Customer }

export type Sessions = ReturnType<typeof createSessions>

/** `isSecure`: the bank has `https`, as always in production. */
export function createSessions(isSecure: boolean) {
  // In production: a table of your database, whose rows expire.
  const sessions = new Map<string, Session>()
  // Browsers accept the prefix only from `https`, and then from no subdomain and for no other path.
  const name = isSecure ? '__Host-session' : 'session'
  const attributes = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const

  const idOf = ({ headers }: Request) =>
    new RegExp(`(?:^|; )${name}=([0-9a-f]{64})`).exec(headers.cookie ?? '')?.[1] ?? ''

  return {
    read: (req: Request): Session | undefined => sessions.get(idOf(req)),
    /** Gives the browser a new session, so that no earlier session ID becomes a signed-in one. */
    start(req: Request, res: Response, session: Session): void {
      sessions.delete(idOf(req))
      const id = randomBytes(32).toString('hex')
      sessions.set(id, session)
      // "lax": the cookie comes when another site leads back here, but not with a form of another site.
      res.cookie(name, id, attributes)
    },
    end(req: Request, res: Response): void {
      sessions.delete(idOf(req))
      res.clearCookie(name, attributes)
    },
  }
}
