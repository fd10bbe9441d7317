// A bank's website with "Sign in with Tiwala", by OpenID Connect and the library `openid-client`.
//
// 1. The browser begins: the bank makes a `state`, a `nonce` and a PKCE verifier, stores them in the session of this
//    browser, and sends it to Tiwala, where the citizen agrees.
// 2. Tiwala sends the browser to /callback with a code. The bank compares the `state` with its session. The
//    library exchanges the code, and checks the ID token and its `nonce`.
// 3. The bank begins a new session. Signing out ends it, and then the one at Tiwala.
//
// A customer can also come from the citizen app, where nothing of this exists: see exchange-codes.ts. An exchange code
// gives no `sub`, so `uniqid` identifies the customer in both ways. With OpenID Connect alone, leave the scope `uniqid`
// out and use `sub`, which differs at each partner. Ask for the scopes that you need, and no others.
import express, { type ErrorRequestHandler, type Express } from 'express'
import * as openid from 'openid-client'
import { html, pagesOf, type Site } from '../site/html.ts'
import { siteFiles } from '../site/site-files.ts'
import { type ExchangeCodes, exchangeCodes, OPEN_APP } from './exchange-codes.ts'
import { createSessions } from './sessions.ts'

export type BankOptions = {
  /**
   * The public address of the bank. The administrator registers `/callback` of it as redirect URI, and `/` as an
   * address to which a browser returns after a sign-out (`post_logout_redirect_uri`).
   */
  url: string
  /** From `openid.discovery` of `{auth_url}/oidc` with your `partner_code` and `partner_secret`. */
  tiwala: openid.Configuration
  /** The other way to sign in, if you want it. */
  exchange?: ExchangeCodes
  note?: Site['note']
}

export function createBank({ url, tiwala, exchange, note }: BankOptions): Express {
  const site = {
    name: 'Your bank',
    look: 'bank',
    icon: 'building',
    promise: 'An account in two minutes.',
  } as const
  const page = pagesOf({ ...site, note })
  // The note says how to sign in.
  const accountPage = pagesOf({ ...site, promise: 'Your account is open.' })
  const sessions = createSessions(url.startsWith('https:'))
  const app = express()
  app.disable('x-powered-by')
  app.use(siteFiles())

  app.get('/', (_req, res) => {
    const ways = exchange ? html`${SIGN_IN} ${OPEN_APP}` : SIGN_IN
    res.send(
      page(
        'Welcome to your bank',
        html`${LEAD}
          <div class="card ways">
            ${ways}
            <p class="soft small">You share your name, date of birth and identifier.</p>
          </div>`,
      ),
    )
  })

  app.post('/sign-in', async (req, res) => {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()]
    sessions.start(req, res, { openid: { pkceCodeVerifier, expectedState, expectedNonce } })
    const request = openid.buildAuthorizationUrl(tiwala, {
      redirect_uri: `${url}/callback`,
      scope: 'openid profile uniqid',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    res.redirect(303, request.href)
  })

  app.get('/callback', async (req, res) => {
    const session = sessions.read(req)
    const checks = session && 'openid' in session ? session.openid : undefined
    // They work once, also if the exchange fails. A signed-in customer stays signed in.
    if (checks) sessions.end(req, res)
    // The library compares it, too, but reports this mismatch as it reports a broken response of Tiwala.
    if (!checks || req.query['state'] !== checks.expectedState) {
      res.status(403).send(page('This sign-in did not begin here', SIGN_IN))
      return
    }
    const tokens = await openid.authorizationCodeGrant(tiwala, new URL(req.originalUrl, url), {
      ...checks,
      idTokenExpected: true,
    })
    const { uniqid, name, birthdate } = tokens.claims()!
    const id = textOf(uniqid)
    // The citizen cannot leave out an item that is not optional.
    if (!id) throw new Error('Ask the administrator to grant the item uniqid, and not as an optional one.')
    const customer = {
      id,
      name: textOf(name) ?? id,
      birthDate: textOf(birthdate),
      idToken: tokens.id_token,
    }
    sessions.start(req, res, { customer })
    // A page without the code in its address.
    res.redirect(303, '/account')
  })

  app.get('/account', (req, res) => {
    const session = sessions.read(req)
    if (session && 'customer' in session) {
      const { id, name, birthDate } = session.customer
      const facts = html`<section class="card">
          <p><strong>Your data</strong> <span class="badge good">from Tiwala</span></p>
          <dl class="facts">
            <dt>Name</dt>
            <dd>${name}</dd>
            ${
              birthDate
                ? html`<dt>Date of birth</dt>
                    <dd>${birthDate}</dd>`
                : ''
            }
            <dt>Customer number</dt>
            <dd><code>${id}</code></dd>
          </dl>
        </section>
        ${SIGN_OUT}`
      res.send(accountPage(`Welcome, ${name}`, facts))
    } else res.redirect(303, '/')
  })

  app.post('/sign-out', (req, res) => {
    const session = sessions.read(req)
    sessions.end(req, res)
    const idToken = session && 'customer' in session ? session.customer.idToken : undefined
    const home = `${url}/`
    const after =
      idToken &&
      openid.buildEndSessionUrl(tiwala, { id_token_hint: idToken, post_logout_redirect_uri: home }).href
    res.redirect(303, after ?? home)
  })

  if (exchange) app.use(exchangeCodes(exchange, sessions, page))

  const handleError: ErrorRequestHandler = (error: Error, _req, res, _next) => {
    if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied')
      res.send(page('You did not sign in', SIGN_IN))
    else {
      const { error: oauthError, code } = error as Partial<openid.ResponseBodyError>
      // No code of a citizen and no secret is in these fields.
      console.error(error.name, error.message, { reason: oauthError ?? code })
      // The code is used or expired, or is not of this browser. Beginning again helps against no other error.
      const isRefused = oauthError === 'invalid_grant'
      const title = isRefused ? 'This sign-in cannot go on. Begin again.' : 'You cannot sign in now'
      res.status(isRefused ? 403 : 503).send(page(title, SIGN_IN))
    }
  }
  app.use(handleError)
  return app
}

const textOf = (claim: unknown) => (typeof claim === 'string' ? claim : undefined)

const LEAD = html`<p class="lead">
  No form and no password: your citizen app shows what the bank asks for, and you decide.
</p>`
const SIGN_IN = html`<form method="post" action="/sign-in">
  <button class="button primary"><img src="/site/icon.svg" alt="" /> Sign in with Tiwala</button>
</form>`
const SIGN_OUT = html`<form method="post" action="/sign-out">
  <p><button class="button">Sign out</button></p>
</form>`
