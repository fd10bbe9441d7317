// The backend-for-frontend of a page for people: the browser gets a session cookie, and never a token.
//
// `GET <path>/sign-in` sends the browser to the identity provider. A cookie of this sign-in goes with it: a random value,
// from which state, nonce and code verifier are derived by a key, so that nothing is stored. Its name has the beginning
// of the state, so that the sign-ins of two tabs do not end each other. It is `Lax`, because the provider sends the
// browser back from another site. `GET <path>/callback` redeems the code, and starts the session with a new id: a
// session that the browser had before, or was given by an attacker, never becomes that of the person.
// The cookie of the session is `Strict`. The browser does not send it with the redirect, so the page asks for the
// session when it has loaded.
import { type Request, type RequestHandler, Router } from 'express'
import { Failure } from '../../failure.ts'
import { ConcurrencyCap } from '../../limits/concurrency-caps.ts'
import { createWindowCounter } from '../../limits/window-counter.ts'
import { isOwnHost, networkOf } from '../../network/addresses.ts'
import { cookieNameOf, cookieOptions, readCookie } from '../../network/cookies.ts'
import type { Service } from '../../operation.ts'
import { mintCookie } from '../../secrets/tokens.ts'
import { busy } from '../load/admission.ts'
import { MINUTE_MS } from '../load/partner-limits.ts'
import { escapeHtml, renderPage } from '../pages/render-page.ts'
import { protectOwnPages } from '../pipeline/security-headers.ts'
import type { IdentityProvider, Secrets, SignedIn } from './identity-provider.ts'

const TRANSACTION_MINUTES = 10
/** Of a page in one browser. Another site can begin sign-ins, and too many cookies make every request too large. */
const MAX_OPEN_SIGN_INS = 5
/** Of one person, from one network. The people of the default sandbox stand for many visitors. */
const MAX_SIGN_INS_PER_MINUTE = 20
/** Of one network, which can be an office. Each callback can send a request to the identity provider. */
const MAX_CALLBACKS_PER_MINUTE = 120
/** Of a page in this process. */
const MAX_CALLBACKS_AT_ONCE = 20
/** The random value, and what the page wants to know again after the sign-in. */
const TRANSACTION = /^[0-9A-Za-z]{43}~[A-Z0-9_]{0,32}$/
const STATE = /^[\w-]{43}$/
const HINT = /^[\x21-\x7e]{1,200}$/

const signIns = createWindowCounter(MINUTE_MS)

/** The person, as the identity provider knows it. `choice`: what the browser asked for at the start. */
export type Person = SignedIn & {
  subject: string
  choice: string | undefined
  requestId: string
}

type Area = {
  /** The page, such as `/workbench`. */
  path: string
  /** The cookie of the session, without prefix. */
  cookie: string
  provider: IdentityProvider
  /** The address of the page before the path. */
  url: string
  /** Stores the session for this id. Returns why the person may not sign in. */
  admit: (sessionId: string, person: Person) => Promise<string | undefined>
}

export function browserSignIn(
  service: Service,
  { path, cookie, url: pageUrl, provider, admit }: Area,
): Router {
  const { config, keys, log } = service
  const sessionCookie = cookieNameOf(config, cookie)
  const callbacks = createWindowCounter(MINUTE_MS)
  const redemptions = new ConcurrencyCap(MAX_CALLBACKS_AT_ONCE)
  const transactionCookie = cookieNameOf(config, `${cookie}-sign-in`)
  const transactionCookies = new RegExp(`${transactionCookie}-[\\w-]{16}(?==)`, 'g')
  const transactionCookieOf = (state: string) => `${transactionCookie}-${state.slice(0, 16)}`
  /** A developer may reach the own machine by several names; each has cookies of its own. */
  const originOf = (req: Request) => {
    const url = URL.parse(`${req.secure ? 'https' : 'http'}://${req.get('host')}`)
    return config.hasPublicUrl || !url || !isOwnHost(url.hostname) ? pageUrl : url.origin
  }
  const redirectUriOf = (req: Request) => `${originOf(req)}${path}/callback`

  const secretsOf = (transaction: string): Secrets => {
    const derive = (name: string) => keys.hmac('staff_sign_in', `${path} ${name} ${transaction}`)
    return {
      state: toToken(derive('state')),
      nonce: toToken(derive('nonce')),
      codeVerifier: toToken(derive('verifier')),
    }
  }

  const signIn: RequestHandler = async (req, res) => {
    const { partner_code, login_hint } = req.query
    const choice = typeof partner_code === 'string' ? partner_code : ''
    const transaction = `${mintCookie()}~${choice}`
    if (!TRANSACTION.test(transaction))
      throw new Failure('validation_failed', { errors: { partner_code: ['is not a partner_code'] } })
    const hints =
      typeof login_hint === 'string' && HINT.test(login_hint)
        ? { login_hint }
        : ({} as Record<string, string>)
    const secrets = secretsOf(transaction)
    const url = await provider.authorizationUrl(secrets, redirectUriOf(req), hints)
    // A browser sends its oldest cookies first (RFC 6265, section 5.4).
    const started = req.headers.cookie?.match(transactionCookies) ?? []
    for (const name of started.slice(0, 1 - MAX_OPEN_SIGN_INS))
      res.clearCookie(name, cookieOptions(config, 'lax'))
    res
      .cookie(transactionCookieOf(secrets.state), transaction, {
        ...cookieOptions(config, 'lax'),
        maxAge: TRANSACTION_MINUTES * 60_000,
      })
      .redirect(303, url.href)
  }

  const callback: RequestHandler = async (req, res) => {
    const { state } = req.query
    const name = typeof state === 'string' && STATE.test(state) ? transactionCookieOf(state) : undefined
    const transaction = name && readCookie(req, name, TRANSACTION)
    // Not before a 503, after which the browser can send the callback again.
    const endTransaction = () => {
      if (name) res.clearCookie(name, cookieOptions(config, 'lax'))
    }
    const refuse = (status: number, text: string): void => {
      endTransaction()
      protectOwnPages(req, res, () => {})
      res.status(status).type('html').send(renderRefusal(path, text))
    }
    if (!transaction) return refuse(400, 'This sign-in has expired. Sign in again.')
    // The transaction is not stored, so a browser can send its callback again, with any code.
    if (callbacks.count(networkOf(req)) > MAX_CALLBACKS_PER_MINUTE)
      return refuse(429, 'There were too many sign-ins from your network. Wait a minute, and sign in again.')
    const url = new URL(redirectUriOf(req) + req.originalUrl.slice(req.path.length))
    const release = redemptions.acquire(path)
    if (!release) throw busy()
    let code = ''
    const signedIn = await provider
      .redeem(url, secretsOf(transaction))
      .finally(release)
      .catch((error: unknown) => {
        if (error instanceof Failure) throw error
        code = codeOf(error)
        log.info(
          { request_id: req.exchange.requestId, reason: (error as Error).message + code },
          'a sign-in was refused',
        )
      })
    if (!signedIn) return refuse(400, `The identity provider did not sign you in${code}. Begin again.`)
    const subject = `${signedIn.claims.iss} ${signedIn.claims.sub}`
    // Each leaves an audit row for good, and the provider of the sandbox accepts a code more than once.
    if (signIns.count(`${path} ${subject} ${networkOf(req)}`) > MAX_SIGN_INS_PER_MINUTE)
      return refuse(429, 'You have signed in too often. Wait a minute, and sign in again.')
    const sessionId = mintCookie()
    const refusal = await admit(sessionId, {
      ...signedIn,
      subject,
      choice: transaction.split('~')[1] || undefined,
      requestId: req.exchange.requestId,
    })
    if (refusal) return refuse(403, refusal)
    endTransaction()
    res.cookie(sessionCookie, sessionId, cookieOptions(config, 'strict')).redirect(303, `${path}/`)
  }

  const router = Router({ strict: true, caseSensitive: true })
  router.use(path, (_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  router.get(`${path}/sign-in`, signIn)
  router.get(`${path}/callback`, callback)
  return router
}

/** The code of an error of the provider (RFC 6749, section 4.1.2.1), and not its text, which may name a person. */
function codeOf(error: unknown): string {
  const { error: code } = error as { error?: unknown }
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : ''
}

/** The characters of a code verifier (RFC 7636, section 4.1), without the name of the key. */
const toToken = (hmac: string) => hmac.replace(/^.*\./, '').replaceAll(/[^A-Za-z0-9-_~]/g, '')

const renderRefusal = (path: string, text: string) =>
  renderPage(
    'Sign in',
    `<h1>You are not signed in</h1><p class="lead">${escapeHtml(text)}</p>
      <p><a class="button primary" href="${path}/sign-in">Sign in</a></p>`,
    { nav: '' },
  )
