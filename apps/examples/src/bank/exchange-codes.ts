// The other way: the citizen app opens /signed-in with an exchange code, and `@tiwala/client` gets the profile for it.
//
// The bank opens the citizen app with a `state`, and compares it when the browser comes back. Without that, an attacker
// could send a customer a link with the attacker's own code: the customer would work in the account of the attacker,
// and enter personal data there (login CSRF).
import { randomBytes } from 'node:crypto'
import { type SsoClient, TiwalaError } from '@tiwala/client'
import { type ErrorRequestHandler, Router } from 'express'
import { html, type pagesOf } from '../site/html.ts'
import type { Sessions } from './sessions.ts'

export type ExchangeCodes = {
  sso: SsoClient
  /** The address that opens the citizen app with this `state`. The administrator gives you its form. */
  citizenAppUrl: (state: string) => string
}

export function exchangeCodes(
  { sso, citizenAppUrl }: ExchangeCodes,
  sessions: Sessions,
  page: ReturnType<typeof pagesOf>,
): Router {
  const router = Router()
  router.post('/open-app', (req, res) => {
    const exchangeState = randomBytes(16).toString('hex')
    sessions.start(req, res, { exchangeState })
    res.redirect(303, citizenAppUrl(exchangeState))
  })

  router.get('/signed-in', async (req, res) => {
    const { exchange_code: exchangeCode, state } = req.query
    const session = sessions.read(req)
    const ownState = session && 'exchangeState' in session ? session.exchangeState : undefined
    // A state works once, also if the exchange fails. A signed-in customer stays signed in.
    if (ownState) sessions.end(req, res)
    if (!ownState || state !== ownState || typeof exchangeCode !== 'string') {
      res.status(403).send(page('This sign-in did not begin here', OPEN_APP))
      return
    }
    const { uniqid, first_name, last_name, birth_date } = await sso.signIn(exchangeCode)
    const customer = { id: uniqid, name: `${first_name} ${last_name}`, birthDate: toIsoDate(birth_date) }
    sessions.start(req, res, { customer })
    res.redirect(303, '/account')
  })

  const handleExpired: ErrorRequestHandler = (error: Error, _req, res, next) => {
    if (!(error instanceof TiwalaError && error.code === 'exchange_code_invalid')) return next(error)
    res.status(403).send(page('The sign-in has expired', OPEN_APP))
  }
  router.use(handleExpired)
  return router
}

/** From `MM/DD/YYYY` of this API to `YYYY-MM-DD`, the form of the claim `birthdate`. */
const toIsoDate = (date: string) => date.replace(/^(..)\/(..)\/(....)$/, '$3-$1-$2')

export const OPEN_APP = html`<form method="post" action="/open-app">
  <button class="button">Sign in with the citizen app</button>
</form>`
