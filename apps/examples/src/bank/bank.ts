// A bank's website with "Sign in with Tiwala".
//
// 1. The browser begins: the bank makes a random `state`, stores it in the session of this browser, and opens
//    the citizen app with it.
// 2. The citizen app opens /signed-in with an exchange code and the `state`.
// 3. The bank compares the `state` with the session, exchanges the code, and begins a new session.
//
// Without step 3, an attacker could send a customer a link with the attacker's own code: the customer would
// work in the account of the attacker, and enter personal data there (login CSRF).
import { randomBytes } from 'node:crypto'
import { type SsoClient, TiwalaError } from '@tiwala/client'
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express'
import { html, page } from '../html.ts'

/** A browser that is signing in, or one that is signed in. */
type Session = { state: string } | { customer: { id: string; name: string } }

export type BankOptions = {
  sso: SsoClient
  /** The address that opens the citizen app with this `state`. The administrator gives you its form. */
  citizenAppUrl: (state: string) => string
}

export function createBank({ sso, citizenAppUrl }: BankOptions): Express {
  // In production: a table of your database, whose rows expire.
  const sessions = new Map<string, Session>()

  const sessionIdOf = ({ headers }: Request) =>
    /(?:^|; )session=([0-9a-f]{64})/.exec(headers.cookie ?? '')?.[1]
  const sessionOf = (req: Request) => sessions.get(sessionIdOf(req) ?? '')

  /** Gives the browser a new session, so that no earlier session ID becomes a signed-in one. */
  function startSession(req: Request, res: Response, session: Session): void {
    endSession(req)
    const id = randomBytes(32).toString('hex')
    sessions.set(id, session)
    // "lax": the cookie comes when the citizen app opens /signed-in, but not with a form of another site.
    res.cookie('session', id, { httpOnly: true, sameSite: 'lax', secure: req.secure })
  }
  const endSession = (req: Request) => void sessions.delete(sessionIdOf(req) ?? '')

  const app = express()
  app.disable('x-powered-by')
  app.use((_req, res, next) => {
    // The address of /signed-in has the code: it must not go to another site as a referrer.
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    next()
  })

  app.get('/', (_req, res) => void res.send(page('Your bank', SIGN_IN)))

  app.post('/sign-in', (req, res) => {
    const state = randomBytes(16).toString('hex')
    startSession(req, res, { state })
    res.redirect(303, citizenAppUrl(state))
  })

  app.get('/signed-in', async (req, res) => {
    const { exchange_code: exchangeCode, state } = req.query
    const session = sessionOf(req)
    const ownState = session && 'state' in session ? session.state : undefined
    // A state works once, also if the exchange fails. A signed-in customer stays signed in.
    if (ownState) endSession(req)
    if (!ownState || state !== ownState || typeof exchangeCode !== 'string') {
      res.status(403).send(page('This sign-in did not begin here', SIGN_IN))
      return
    }
    const profile = await sso.signIn(exchangeCode)
    const name = `${profile.first_name} ${profile.last_name}`
    startSession(req, res, { customer: { id: profile.uniqid, name } })
    // A page without the code in its address.
    res.redirect(303, '/account')
  })

  app.get('/account', (req, res) => {
    const session = sessionOf(req)
    if (session && 'customer' in session) res.send(page(`Welcome, ${session.customer.name}`, SIGN_OUT))
    else res.redirect(303, '/')
  })

  app.post('/sign-out', (req, res) => {
    endSession(req)
    res.clearCookie('session').redirect(303, '/')
  })

  app.use(handleError)
  return app
}

const handleError: ErrorRequestHandler = (error: Error, _req, res, _next) => {
  // No code and no secret is in these fields.
  console.error(error.name, error.message)
  const isExpired = error instanceof TiwalaError && error.code === 'exchange_code_invalid'
  const title = isExpired ? 'The sign-in has expired' : 'You cannot sign in now'
  res.status(isExpired ? 403 : 503).send(page(title, SIGN_IN))
}

const SIGN_IN = html`<form method="post" action="/sign-in"><button>Sign in with Tiwala</button></form>`
const SIGN_OUT = html`<form method="post" action="/sign-out"><button>Sign out</button></form>`
