// The routes that only the sandbox serves: everything that a new partner, a demo or a test needs to start.
// The addresses of a sandbox are `/sandbox/{sandbox_id}/...`. Those of the default sandbox have no id; what
// would disturb its other users needs a sandbox of one's own. Only on the developer's own machine the default one
// has a clock and an administrator token.
import { type RequestHandler, Router } from 'express'
import { Failure } from '../failure.ts'
import { rateLimitByAddress } from '../http/load/address-limits.ts'
import { rateLimited } from '../http/load/partner-limits.ts'
import { renderPage } from '../http/pages/render-page.ts'
import type { ByteBudget } from '../http/pages/static-response.ts'
import { readBody } from '../http/pipeline/body.ts'
import { normalizeContentType } from '../http/pipeline/headers.ts'
import { protectPages } from '../http/pipeline/security-headers.ts'
import { createWindowCounter } from '../limits/window-counter.ts'
import { addressOf, isHostOf, isOwnHost } from '../network/addresses.ts'
import type { Service } from '../operation.ts'
import { EVERY_STATUS, findRequests, type RequestFilter, type RequestRow } from '../requests/requests.sql.ts'
import { toDelivery } from '../webhooks/delivery.ts'
import { findDeliveries } from '../webhooks/list-deliveries/list-deliveries.sql.ts'
import { limitAudited } from './audited-limit.ts'
import type { ListedRequest } from './bootstrap-format.ts'
import { bootstrap, visitorUrlOf } from './bootstrap.ts'
import { createCitizen } from './create-citizen.ts'
import { createSandbox } from './create-sandbox.ts'
import { endSandbox } from './end-sandboxes.ts'
import { INBOX_SCRIPT, readInboxPage } from './inbox-page.ts'
import { listEvents } from './inbox.sql.ts'
import { inboxUrlOf, receiveEvent, refuseDeliveries } from './inbox.ts'
import { moveClock } from './move-clock.ts'
import type { OwnHandler } from './own-handler.ts'
import { page } from './page.ts'
import { setCondition } from './partner-condition.ts'
import { phone } from './phone.ts'
import { drawPhoto } from './photo.ts'
import type { SandboxProvider } from './provider.ts'
import { DEFAULT_ID, findSandbox, listTrackingNos } from './sandboxes.sql.ts'
import { sendEvent, setCallback } from './send-event.ts'

/**
 * The target of the default partner's `redirect_url`. The code stays in the address bar; nothing reads it.
 */
const signedInPage = () =>
  renderPage(
    'Signed in (sandbox)',
    `<h1>Back at the partner</h1>
      <p class="lead">The citizen app has sent the browser here, to your <code>sso_url</code>.</p>
      <ol class="timeline">
        <li class="done">The citizen agreed to sign in.</li>
        <li aria-current="step">Your application reads <code>exchange_code</code> and <code>state</code> from the
        address of this page.</li>
        <li>Your server compares <code>state</code> with the one that it gave this browser, and exchanges the code
        for the citizen's profile, within 60 seconds.</li>
      </ol>
      <p class="row"><a class="button primary" href="/docs/guides/sign-in">How to do that</a>
      <a class="button" href="/sandbox/">To the sandbox</a></p>`,
    { isLive: false },
  )

/** A page with text that anyone can post: it is never run as a script. */
const INBOX_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Making a sandbox writes about 40 rows. */
const MAX_CREATIONS_PER_SECOND = 5
const MAX_CHANGES_PER_SECOND = 20
/** A partner tries what its server does with many. */
const MAX_EVENTS_PER_MINUTE = 300
/** Each rewrites all rows of the sandbox. */
const MAX_MOVES_PER_MINUTE = 10
const SECOND_MS = 1_000
/** Of one address, to one inbox. All deliveries of the service come from one address. */
const MAX_RECEIVED_PER_SECOND = 100
const MAX_DELIVERIES = 20
const MAX_REQUESTS = 100
const ALL_REQUESTS: RequestFilter = {
  since: undefined,
  until: undefined,
  operation: undefined,
  statuses: EVERY_STATUS,
  error: undefined,
}
const CACHE_ONE_DAY = 'public, max-age=86400'

/** `longRunning`: a busy sandbox has many rows to make older. */
export async function sandboxRoutes(
  service: Service,
  longRunning: Service,
  budget: ByteBudget,
  providers: (SandboxProvider | undefined)[],
): Promise<Router> {
  const router = Router({ strict: true, caseSensitive: true })
  const limitChanges = rateLimitByAddress(MAX_CHANGES_PER_SECOND)
  const { isLocalSandbox } = service.config
  const read = (handler: OwnHandler) => inSandbox(service, handler, budget)
  const change = (handler: OwnHandler, changing = service) => [
    limitChanges,
    normalizeContentType,
    ...readBody,
    inSandbox(changing, handler),
  ]
  const own = (path: string) => `/sandbox/:sandbox_id${path}`
  const every = (path: string) => [`/sandbox${path}`, own(path)]
  const readBootstrap = bootstrap(service)

  router.use('/sandbox', refuseOtherSites(service), protectPages)
  router.get('/sandbox/bootstrap.json', async (req, res) => {
    res.set('Cache-Control', 'no-store').json(await readBootstrap(visitorUrlOf(service.config, req)))
  })
  router.get('/sandbox/photos/:number.svg', (req, res) => {
    res
      .set('Cache-Control', CACHE_ONE_DAY)
      .type('image/svg+xml')
      .send(drawPhoto(Number(req.params.number) || 0))
  })
  router.get('/sandbox/signed-in', (_req, res) => void res.type('html').send(signedInPage()))
  router.post(
    ['/sandbox/inbox', '/sandbox/inboxes/:inbox_key'],
    isLocalSandbox ? [] : limitReceived(),
    receiveEvent(service),
  )
  router.use(phone(service, limitChanges))
  for (const provider of providers) if (provider) router.get(provider.path, provider.page)
  router.use(await page(budget))

  router.post('/sandbox', rateLimitByAddress(MAX_CREATIONS_PER_SECOND), createSandbox(service))
  const move = isLocalSandbox ? moveClock : limitAudited('clock', moveClock, MAX_MOVES_PER_MINUTE)
  router.post(every('/clock'), change(move, longRunning))
  router.get(every('/inbox'), read(readInboxPage))
  router.get(INBOX_SCRIPT.path, (_req, res) => void res.type('js').send(INBOX_SCRIPT.text))
  router.get(every('/inbox.json'), read(readInbox))
  router.get(every('/requests'), read(readRequests))
  router.get(own(''), read(readSandbox))
  router.delete(own(''), limitChanges, inSandbox(service, removeSandbox))
  router.post(own('/citizens'), change(createCitizen))
  router.put(own('/condition'), change(limitAudited('condition', setCondition)))
  router.put(own('/callback'), change(limitAudited('callback', setCallback)))
  router.post(own('/events'), change(limitAudited('events', sendEvent, MAX_EVENTS_PER_MINUTE)))
  router.get(own('/deliveries'), read(readDeliveries))
  router.put(own('/inbox/refusals'), change(refuseDeliveries))
  return router
}

/**
 * Without this, a web page could make and change sandboxes through its visitors. With a name of its own that leads
 * here (DNS rebinding), it could even read the token of the administrator. Programs send no `Origin`.
 */
const refuseOtherSites =
  ({ config }: Service): RequestHandler =>
  (req, _res, next) => {
    const origin = req.get('origin')
    if (!isOwnName(req.get('host') ?? '', config.publicUrl))
      throw new Failure('not_found', {
        message: `The sandbox is at ${config.publicUrl}. TIWALA_PUBLIC_URL gives it another address.`,
      })
    // A proxy may replace the host.
    const isOwnPage = origin === config.publicUrl || origin === undefined
    if (req.method !== 'GET' && !isOwnPage && !isHostOf(req.get('host'), origin))
      throw new Failure('browser_use_forbidden', {
        message: 'A page of another site may not use the sandbox',
      })
    next()
  }

const isOwnName = (host: string, publicUrl: string): boolean =>
  host === '' || isOwnHost(URL.parse(`http://${host}`)?.hostname ?? '') || isHostOf(host, publicUrl)

function limitReceived(): RequestHandler {
  const received = createWindowCounter(SECOND_MS)
  return (req, _res, next) => {
    if (received.count(`${addressOf(req)} ${String(req.params['inbox_key'])}`) > MAX_RECEIVED_PER_SECOND)
      throw rateLimited(received.msLeft())
    next()
  }
}

/**
 * Runs a handler with the sandbox of the address. `budget`: for a response that can be long. An address that has used its
 * share is refused before the handler runs.
 */
const inSandbox =
  (service: Service, handler: OwnHandler, budget?: ByteBudget): RequestHandler =>
  async (req, res, next) => {
    const id = req.params['sandbox_id'] ?? DEFAULT_ID
    if (req.params['sandbox_id'] && !/^sbx_[0-9A-Za-z]{22}$/.test(String(id))) return next()
    const sandbox = await findSandbox(service.db, String(id))
    if (!sandbox)
      throw new Failure('not_found', { message: 'This sandbox has ended. Make a new one: POST /sandbox.' })
    budget?.take(0, addressOf(req))
    const { status = 200, body, page: html } = await handler(service, sandbox, req)
    const text = html ?? (body && JSON.stringify(body))
    budget?.take(Buffer.byteLength(text ?? ''), addressOf(req))
    res.status(status).set('Cache-Control', 'no-store')
    if (html) res.set('Content-Security-Policy', INBOX_POLICY)
    if (text === undefined) res.end()
    else res.type(html ? 'html' : 'json').send(text)
  }

/**
 * `callback_url`: null if events go to the inbox. `tracking_nos`: a page that was reloaded before it got a response
 * finds its record here.
 */
const readSandbox: OwnHandler = async (service, sandbox) => {
  const { sandbox_id, expires_at, advanced_seconds, inbox_key } = sandbox
  const callback_url = sandbox.callback_url === inboxUrlOf(service, inbox_key) ? null : sandbox.callback_url
  const tracking_nos = await listTrackingNos(service.db, sandbox)
  return { body: { sandbox_id, expires_at, advanced_seconds, callback_url, tracking_nos } }
}

const removeSandbox: OwnHandler = async (service, sandbox) => {
  await endSandbox(service, sandbox)
  return { status: 204 }
}

const readRequests: OwnHandler = async ({ db }, { partner_id }) => {
  const rows = await findRequests(db, partner_id, ALL_REQUESTS, undefined, MAX_REQUESTS)
  return { body: { requests: rows.map(toListedRequest) } }
}

/** Without the address: every visitor reads the requests of the default sandbox. */
function toListedRequest(row: RequestRow): ListedRequest {
  const { request_id, method, operation, status, error, duration_ms } = row
  return {
    request_id,
    received_at: row.received_at.toISOString(),
    method,
    operation,
    status,
    error,
    duration_ms,
  }
}

const readInbox: OwnHandler = async ({ db }, { id }) => ({ body: { events: await listEvents(db, id) } })

const readDeliveries: OwnHandler = async ({ db }, { partner_code }) => {
  const filter = { partnerCode: partner_code, status: undefined, after: undefined, limit: MAX_DELIVERIES }
  return { body: { deliveries: (await findDeliveries(db, filter)).map(toDelivery) } }
}
