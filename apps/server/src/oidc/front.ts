// Sign-in by OpenID Connect at `/oidc`: the protocol, and the page that the citizen meets in the browser.
//
// States of a browser: the library redirects it to the page with a signed cookie for this request, and with a cookie of
// the browser. Both are needed for the page and for everything below it, so another browser that got its address gets
// nothing. When the citizen has approved, the browser goes on (`/continue`), and the library sends the code to
// the partner. A browser that opened the app on its own device goes on only with the value that the app brings
// (`/return`).
import { type Request, type RequestHandler, type Response, Router, text } from 'express'
import { decodeJwt } from 'jose'
import { encodeQR } from 'qr'
import { throttled } from '../database/throttle.ts'
import { Failure } from '../failure.ts'
import { busy } from '../http/load/admission.ts'
import { createFairSlots, type Release } from '../http/load/fair-slots.ts'
import {
  createStaticResponse,
  REVALIDATE,
  type ByteBudget,
  sendStatic,
} from '../http/pages/static-response.ts'
import { toUnreadable } from '../http/pipeline/body.ts'
import { protectWith } from '../http/pipeline/security-headers.ts'
import { addressOf } from '../network/addresses.ts'
import type { Service } from '../operation.ts'
import { mintComparison, mintSignInId } from '../secrets/tokens.ts'
import { grantIdOf, isReturnNonce, linkCode, qrText } from '../sign-ins/code.ts'
import { isItem, ITEM_NAMES, ITEMS } from '../sign-ins/items.ts'
import {
  cancelSignIn,
  continueSignIn,
  findOfBrowser,
  insertSignIn,
  type PageRow,
} from '../sign-ins/sign-in.sql.ts'
import { OIDC_PATH, pagePath } from '../sign-ins/sign-in.ts'
import { claimsOfParams, type Params, requestedAcrs, textOf } from './claims-parameter.ts'
import { PAGE_SCRIPT, renderEnded, renderSignIn, SCRIPT_PATH } from './pages.ts'
import { createProvider, pairwiseSub, type Provider, readBrowserCookie, SIGN_IN_SECONDS } from './provider.ts'
import { untilReceived } from './received-body.ts'
import { createRefusals, type RefusedDependencies, type Refusals } from './refusals.ts'
import { grantHmac } from './state-adapter.ts'
import { LANGUAGES, languageOf } from './texts.ts'

const HEARTBEAT_MS = 15_000
/** The longest request line is 8 KiB. */
const MAX_FORM_BYTES = 6 * 1024
const FORM = 'application/x-www-form-urlencoded'

/** Pages that send forms to themselves. The library adds the hash of its own inline script. */
const protect = protectWith(
  {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
  },
  { sendsForms: true },
)

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
type Visit = {
  provider: Provider
  interaction: Interaction
  row: PageRow
  base: string
  req: Request
  res: Response
}

/** Without the keys of sign-in, there is nothing at `/oidc`. */
export async function oidcFront(
  service: Service,
  budget: ByteBudget,
  refused: RefusedDependencies,
): Promise<RequestHandler> {
  const { db, config, keys, notifications, concurrencyCaps } = service
  const { maxInFlight, maxQueued, maxQueuedMs } = config.admission
  const { protocol, host } = new URL(config.publicUrl)
  /** One for all providers, so that a new key forgets no count. */
  let refusals: Refusals | undefined
  const refusalsOf = (errors: Parameters<typeof createRefusals>[1]) =>
    (refusals ??= createRefusals(service, errors, refused))
  let known: { keyIds: string; provider: Promise<Provider> } | undefined
  // A quarter of what the API has. How long a request takes says nothing about the database: it may wait for the keys
  // of a partner.
  const slots = createFairSlots({ max: Math.ceil(maxInFlight / 4), maxQueued, deadlineMs: Infinity })

  /**
   * Anonymous requests take these slots, so that they leave most of the database to the API. The work keeps its slot
   * until it ends, also if the browser has gone.
   */
  async function withSlot<Result>(req: Request, work: () => Promise<Result>): Promise<Result> {
    const acquisition = { caller: addressOf(req), timeoutMs: maxQueuedMs }
    const release = await new Promise<Release | undefined>((resolve) => {
      slots.acquire(acquisition, (hasSlot, ownRelease) => resolve(hasSlot ? ownRelease : undefined))
    })
    if (!release) throw busy()
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** The provider of the present keys. `undefined`: the ring has none. */
  function currentProvider(): Promise<Provider> | undefined {
    const keyIds = keys
      .idTokenKeys()
      .map(({ kid }) => kid)
      .join()
    if (!keyIds) return undefined
    if (known?.keyIds !== keyIds) known = { keyIds, provider: createProvider(service, refusalsOf) }
    return known.provider
  }

  /** Runs a step for the browser that began the request. Any other browser gets a plain page. */
  const ofBrowser =
    (step: (visit: Visit) => Promise<void> | void): RequestHandler =>
    (req, res) =>
      withSlot(req, async () => {
        const provider = (await currentProvider())!
        const interaction = await provider.interactionDetails(req, res).catch(ignoreMissing)
        const uid = textOf(req.params['uid'])
        const cookie = readBrowserCookie(req, config)
        const row =
          interaction?.uid === uid && cookie
            ? await findOfBrowser(db, uid, keys.hmacs('sign_in', cookie))
            : undefined
        if (!interaction || !row) return sendEnded(req, res)
        await step({ provider, interaction, row, base: pagePath(uid), req, res })
      })

  /** Stores the request when the browser comes first, bound to its cookie. False: there is no such request. */
  async function begin(req: Request, res: Response): Promise<boolean> {
    const provider = (await currentProvider())!
    const interaction = await provider.interactionDetails(req, res).catch(ignoreMissing)
    const cookie = readBrowserCookie(req, config)
    if (!interaction || interaction.uid !== req.params['uid'] || !cookie) return false
    if (interaction.session) {
      // Otherwise the request would end with the session of an earlier sign-in: at a sign-out in another tab.
      delete interaction.session
      await interaction.persist()
    }
    await insertSignIn(db, {
      id: mintSignInId(),
      partnerCode: textOf(interaction.params['client_id']),
      interactionUid: interaction.uid,
      browserHmac: keys.hmac('sign_in', cookie),
      purpose: textOf(interaction.params['purpose']) || null,
      ...requestedOf(interaction.params, config.acrValues),
      comparison: mintComparison(),
      ttlSeconds: SIGN_IN_SECONDS,
    })
    return true
  }

  const nextOf = ({ state, is_same_device, is_opened }: PageRow) => ({
    next: state === 'PENDING' ? 'wait' : state === 'APPROVED' && !is_same_device ? 'continue' : 'reload',
    is_opened,
  })

  const showPage = async ({ interaction, row, base, req, res }: Visit) => {
    const chosen = LANGUAGES.find((language) => language === req.query['ui_locales'])
    if (chosen) {
      // The citizen's choice replaces the partner's, also on the pages that follow.
      interaction.params['ui_locales'] = chosen
      await interaction.persist()
      return res.redirect(303, base)
    }
    if (nextOf(row).next === 'continue') return res.redirect(303, `${base}/continue`)
    const { citizenAppUrl } = config
    const appUrl = `${citizenAppUrl}${citizenAppUrl.includes('?') ? '&' : '?'}code=${linkCode(keys, row.id)}`
    const language = languageOf(req, interaction.params['ui_locales'])
    res.type('html').send(renderSignIn(row, language, { base, appUrl }))
  }

  const showQr = ({ row, res }: Visit) => {
    if (row.state !== 'PENDING') throw new Failure('not_found')
    const svg = encodeQR(qrText(keys, row.id, row.second), 'svg', { ecc: 'low', border: 2 })
    // The picture has no background, and scanners need dark on light, also on a dark page.
    res.type('image/svg+xml').send(svg.replace('>', '><rect width="100%" height="100%" fill="#fff"/>'))
  }

  /** Counts an open page; refuses one too many. The page then asks again and again. */
  function openPage(signInId: string, address: string): () => void {
    const closeOfSignIn = concurrencyCaps.pagesOfSignIn.acquire(signInId)
    const closeOfAddress = closeOfSignIn && concurrencyCaps.pagesOfAddress.acquire(address)
    if (closeOfAddress)
      return () => {
        closeOfSignIn()
        closeOfAddress()
      }
    closeOfSignIn?.()
    throw new Failure('rate_limited', {
      retryAfterSeconds: 5,
      message: 'Too many pages of sign-ins are open',
    })
  }

  /** Each change is read from the database: a notification only wakes the stream. */
  const streamState = async (visit: Visit) => {
    const { row, req, res } = visit
    // Its event has passed, so nothing would end the stream.
    if (res.closed) return
    if (notifications.isFullOfSignIns()) throw new Failure('unavailable', { retryAfterSeconds: 5 })
    const closePage = openPage(row.id, addressOf(req))
    const send = (current: PageRow) => {
      const state = nextOf(current)
      res.write(`data: ${JSON.stringify(state)}\n\n`)
      if (state.next !== 'wait') res.end()
    }
    const cookie = readBrowserCookie(req, config)!
    // A notification during a read causes another one.
    const changes = throttled(async () => {
      if (res.writableEnded) return
      // After a failed read the page connects again, and asks until then.
      const current = await findOfBrowser(db, visit.interaction.uid, keys.hmacs('sign_in', cookie)).catch(
        () => undefined,
      )
      if (notifications.isClosed() || !current) res.end()
      else send(current)
    })
    const stopListening = notifications.onSignIn(row.id, changes.call)
    const timers = [
      setInterval(changes.call, HEARTBEAT_MS),
      setTimeout(changes.call, row.seconds_left * 1_000 + 1_000),
    ]
    res.once('close', () => {
      closePage()
      stopListening()
      changes.stop()
      timers.forEach((timer) => clearTimeout(timer))
    })
    res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' }).flushHeaders()
    send(row)
  }

  /** Ends the request for the partner: with a code if the citizen has approved. */
  const finish = async (visit: Visit) => {
    const { provider, interaction, row, base, req, res } = visit
    if (row.state === 'PENDING' || (row.state === 'APPROVED' && row.is_same_device && !isReturned(visit)))
      return res.redirect(303, base)
    const clientId = textOf(interaction.params['client_id'])
    // The partner may have removed the address since. The library has checked it before the citizen was asked.
    const client = await provider.Client.find(clientId)
    if (!client?.redirectUriAllowed(textOf(interaction.params['redirect_uri']))) return sendEnded(req, res)
    // The browser lost the redirect. The library ends the interaction when the browser follows it.
    if (interaction.result) return res.redirect(303, interaction.returnTo)
    if (row.state !== 'APPROVED')
      return provider.interactionFinished(req, res, refusalOf(row.state, row.is_assurance_missed), {
        mergeWithLastSubmission: false,
      })
    const grant = new provider.Grant({ clientId })
    // After a fault, the browser comes again and binds the same grant.
    grant.jti = grantIdOf(keys, row.id)
    const grantId = await grant.save()
    const approved = await continueSignIn(db, row.id, grantHmac(keys, grantId))
    if (!approved)
      return provider.interactionFinished(req, res, APPROVAL_ENDED, { mergeWithLastSubmission: false })
    const expected = expectedSubs(interaction.params)
    if (expected.some((sub) => sub !== pairwiseSub(keys, clientId, approved.subject)))
      return provider.interactionFinished(req, res, OTHER_CITIZEN, { mergeWithLastSubmission: false })
    grant.accountId = approved.subject
    // What the partner gets are the items that the citizen shared (`account.ts`), not what it asked for.
    grant.addOIDCScope(textOf(interaction.params['scope']))
    grant.addOIDCClaims(requestedClaims(interaction.params))
    await grant.save()
    const { acr, amr, auth_time } = approved
    await provider.interactionFinished(
      req,
      res,
      {
        login: {
          accountId: approved.subject,
          remember: false,
          ts: auth_time,
          ...(acr !== null && { acr }),
          ...(amr && { amr }),
        },
        consent: { grantId },
      },
      { mergeWithLastSubmission: false },
    )
  }

  const isReturned = ({ row, req }: Visit) => isReturnNonce(keys, row.id, textOf(req.query['nonce']))

  const router = Router({ strict: true, caseSensitive: true })
  const page = pagePath(':uid')
  router.use(OIDC_PATH, protect, (req, res, next) => {
    if (!currentProvider()) throw new Failure('not_found')
    // The library makes its URLs and its secure cookies by these: they are those of the public URL, also behind a proxy.
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    req.headers['x-forwarded-host'] = host
    res.set('Cache-Control', 'no-store')
    next()
  })
  router.all(
    OIDC_PATH + SCRIPT_PATH,
    sendStatic(await createStaticResponse('text/javascript', PAGE_SCRIPT), REVALIDATE, budget),
  )
  router.get(
    page,
    async (req, res, next) => {
      if (await withSlot(req, () => begin(req, res))) next()
      else sendEnded(req, res)
    },
    ofBrowser(showPage),
  )
  router.get(`${page}/qr.svg`, ofBrowser(showQr))
  router.get(
    `${page}/state`,
    ofBrowser(({ row, res }) => void res.json(nextOf(row))),
  )
  router.get(`${page}/changes`, ofBrowser(streamState))
  router.get([`${page}/continue`, `${page}/return`], ofBrowser(finish))
  router.post(
    `${page}/cancel`,
    ofBrowser(async ({ row, base, res }) => {
      await cancelSignIn(db, row.id)
      res.redirect(303, base)
    }),
  )
  // OpenID Connect Core section 3.1.2.1, RP-Initiated Logout section 2. The library would need cookies that other sites
  // send along (SameSite=None).
  const readForm = text({ type: FORM, limit: MAX_FORM_BYTES })
  const formPaths = ['auth', 'session/end'].map((path) => `${OIDC_PATH}/${path}`)
  router.post(formPaths, (req, res, next) => {
    readForm(req, res, (error?: Error) => {
      if (error) return next(toUnreadable(error))
      res.redirect(303, `${req.path}?${String(new URLSearchParams(textOf(req.body)))}`)
    })
  })
  router.use(OIDC_PATH, async (req, res) => {
    if (req.is(FORM) && req.get('content-length') !== '0') await untilReceived(req)
    await withSlot(req, async () => {
      const provider = (await currentProvider())!
      await provider.callback()(req, res)
      refusals!.recordRefusal(req)
    })
  })
  return router
}

/** The cookie is missing, or its request has ended. */
function ignoreMissing(error: Error): undefined {
  if (error.name !== 'SessionNotFound') throw error
}

const REFUSALS = {
  DECLINED: 'the citizen declined',
  EXPIRED: 'the citizen did not answer in time',
  CANCELLED: 'the citizen cancelled in the browser',
}

/** The second error: OpenID Connect Core Error Code unmet_authentication_requirements. */
const refusalOf = (state: keyof typeof REFUSALS, isAssuranceMissed: boolean) =>
  isAssuranceMissed && state !== 'DECLINED'
    ? { error: 'unmet_authentication_requirements', error_description: ASSURANCE_MISSED }
    : { error: 'access_denied', error_description: REFUSALS[state] }

const ASSURANCE_MISSED =
  'the citizen was not authenticated as strongly, or as recently, as the request or its purpose needs'

/** The browser did not return in time, or the citizen or the partner has no access any more. */
const APPROVAL_ENDED = {
  error: 'access_denied',
  error_description: 'the approval of the citizen is not valid any more',
}

/** OpenID Connect Core section 3.1.2.1. */
const OTHER_CITIZEN = {
  error: 'login_required',
  error_description: 'the citizen who approved is not the citizen of the request',
}

function sendEnded(req: Request, res: Response): void {
  res
    .status(400)
    .type('html')
    .send(renderEnded(languageOf(req)))
}

const requestedClaims = (params: Params): string[] => [
  ...new Set(Object.values(claimsOfParams(params)).flatMap((members) => Object.keys(members ?? {}))),
]

/** The `sub` that the request demands. The library has validated the `id_token_hint`. */
function expectedSubs(params: Params): unknown[] {
  const hint = textOf(params['id_token_hint'])
  const claim = claimsOfParams(params)['id_token']?.['sub']
  return [...(hint ? [decodeJwt(hint).sub] : []), ...(claim && 'value' in claim ? [claim.value] : [])]
}

/** PostgreSQL's largest `int`: 68 years. */
const MAX_AGE_SECONDS = 2 ** 31 - 1

/** `prompt=login` asks for an authentication after the request. The library makes it of `max_age=0`, too. */
const maxAgeOf = ({ prompt, max_age }: Params): number | null => {
  if (textOf(prompt).split(' ').includes('login')) return 0
  return max_age === undefined ? null : Math.min(Number(max_age), MAX_AGE_SECONDS)
}

/** What an authorization request asks for: the items of its scopes and of its claims, and the least assurance. */
function requestedOf(params: Params, levels: string[]) {
  const scopes = new Set(textOf(params['scope']).split(' '))
  const asked = new Set(requestedClaims(params).filter(isItem))
  const acrs = requestedAcrs(params)
  return {
    items: ITEM_NAMES.filter((item) => scopes.has(ITEMS[item].scope) || asked.has(item)),
    // Of several values each is enough, so the weakest counts.
    minimumAcr: levels.find((level) => acrs.includes(level)) ?? null,
    maxAgeSeconds: maxAgeOf(params),
  }
}
