// The citizen app of a sandbox for a sign-in by OpenID Connect: the link of its page leads here. It answers for the
// citizen of the partner's own sandbox who decides by hand.
import { withFullName, wordsOfItem } from '@tiwala/ui/item-words'
import { type Request, type RequestHandler, Router } from 'express'
import { escapeHtml, renderPage } from '../http/pages/render-page.ts'
import { readBody } from '../http/pipeline/body.ts'
import { normalizeContentType } from '../http/pipeline/headers.ts'
import { protectWith } from '../http/pipeline/security-headers.ts'
import type { Service } from '../operation.ts'
import { approveOwnSignIn } from '../sign-ins/answer/approve-sign-in.ts'
import { declineOwnSignIn } from '../sign-ins/answer/decline-sign-in.ts'
import { readCode } from '../sign-ins/code.ts'
import { isItem } from '../sign-ins/items.ts'
import { openPending, type SignInRow } from '../sign-ins/sign-in.sql.ts'
import { pagePath, readOwnSignIn, signInNotFound, toSignInRequest } from '../sign-ins/sign-in.ts'
import { countAudited } from './audited-limit.ts'
import { findManualCitizen } from './sandboxes.sql.ts'

/** The forms lead back to the partner, at any address. */
const protect = protectWith(
  { defaultSrc: ["'none'"], styleSrc: ["'self'"], imgSrc: ["'self'"] },
  { sendsForms: true },
)

export function phone(service: Service, limit: RequestHandler): Router {
  const { db, keys, config } = service
  const router = Router({ strict: true, caseSensitive: true })

  /** The request of the code, which its citizen has opened. */
  async function open(text: unknown, { method, exchange: { requestId } }: Request) {
    const code = readCode(keys, typeof text === 'string' ? text : '')
    const uniqidHmac = code && (await findManualCitizen(db, code.id))
    if (!uniqidHmac) throw signInNotFound()
    // It is the same one for each request of the sandbox.
    if (!config.isLocalSandbox) countAudited(`phone ${method}`, uniqidHmac)
    await openPending(db, [uniqidHmac], code, requestId)
    return { uniqidHmacs: [uniqidHmac], row: await readOwnSignIn(service, [uniqidHmac], code.id) }
  }

  /** Where the browser goes on: only that of an approved request is signed in there. */
  const wayBack = (row: SignInRow) =>
    toSignInRequest(service, row).return_url ?? config.publicUrl + pagePath(row.interaction_uid)

  router.get('/sandbox/phone', protect, limit, async (req, res) => {
    const { code } = req.query
    const { row } = await open(code, req)
    // With the referrer policy of other pages, the form would have the origin `null`, which `refuseOtherSites` refuses.
    res
      .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' })
      .type('html')
      .send(row.state === 'PENDING' ? renderForm(row, code as string) : renderAnswered(row, wayBack(row)))
  })
  router.post('/sandbox/phone', protect, limit, normalizeContentType, ...readBody, async (req, res) => {
    const { code, answer, ...fields } = (req.body ?? {}) as Record<string, string | undefined>
    const { requestId } = req.exchange
    const { uniqidHmacs, row } = await open(code, req)
    const assurance = { acr: null, amr: null, authenticatedAt: new Date(), hasAuthTime: true }
    // Too late. The page in the browser says so, and leads back to the partner.
    if (row.state === 'EXPIRED' || row.state === 'CANCELLED') return res.redirect(303, wayBack(row))
    const items = [...new Set([...row.items, ...Object.keys(fields).filter(isItem)])]
    const answered =
      answer === 'approve'
        ? await approveOwnSignIn(service, uniqidHmacs, row.id, { items, assurance, requestId })
        : await declineOwnSignIn(service, uniqidHmacs, row.id, requestId)
    res.redirect(303, wayBack(answered))
  })
  return router
}

const renderForm = (row: SignInRow, code: string) =>
  renderPage(
    'Citizen app (sandbox)',
    `<h1>${escapeHtml(row.name)} asks you to sign in</h1>
      <p class="lead">${escapeHtml(row.text)}</p>
      <p>Your browser shows <strong>${row.comparison}</strong>, too.</p>
      <form method="post" action="/sandbox/phone">
        <input type="hidden" name="code" value="${escapeHtml(code)}" />
        <ul class="plain">
          ${withFullName(row.items)
            .map((item) => `<li>${wordsOfItem(item)}</li>`)
            .join('')}
          ${row.optional_items
            .map(
              (item) =>
                `<li><label><input type="checkbox" name="${item}" checked /> ${wordsOfItem(item)}</label></li>`,
            )
            .join('')}
        </ul>
        <p class="row"><button class="button primary" name="answer" value="approve">Approve</button>
        <button class="button" name="answer" value="decline">Decline</button></p>
      </form>`,
    { isLive: false },
  )

/** The browser can come back to this page after an answer, or too late. */
const renderAnswered = ({ name, state }: SignInRow, href: string) =>
  renderPage(
    'Citizen app (sandbox)',
    `<h1>${escapeHtml(name)} asked you to sign in</h1>
      <p class="lead">This sign-in request is ${state.toLowerCase()}.</p>
      <p class="row"><a class="button primary" href="${escapeHtml(href)}">Go on in the browser</a></p>`,
    { isLive: false },
  )
