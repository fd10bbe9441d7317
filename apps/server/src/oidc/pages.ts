import { icon } from '@tiwala/ui/icons'
import { initialsOf, withFullName } from '@tiwala/ui/item-words'
import { escapeHtml, renderPage } from '../http/pages/render-page.ts'
import type { PageRow } from '../sign-ins/sign-in.sql.ts'
import { OIDC_PATH } from '../sign-ins/sign-in.ts'
import { type Language, LANGUAGES, TEXTS } from './texts.ts'

/** Swaps the QR code, and goes on when the citizen has answered. It has no text, so it is the same in each language. */
export const PAGE_SCRIPT = `const base = location.pathname
const qr = document.querySelector('#qr')
const show = ({ next, is_opened }) => {
  if (next === 'continue') return location.replace(base + '/continue')
  if (next === 'reload') return location.reload()
  document.querySelector('#waiting').hidden = is_opened
  document.querySelector('#opened').hidden = !is_opened
}
const poll = () => fetch(base + '/state').then((response) => response.ok && response.json().then(show)).catch(() => {})
if (qr) {
  setInterval(() => document.hidden || (qr.src = base + '/qr.svg?' + Date.now()), 1000)
  const events = new EventSource(base + '/changes')
  events.onmessage = ({ data }) => show(JSON.parse(data))
  let polling
  events.onerror = () => (polling ??= setInterval(poll, 2000))
  document.addEventListener('visibilitychange', () => document.hidden || poll())
}
`

export const SCRIPT_PATH = '/sign-in.js'

type Parts = { nav?: string; head?: string }
const render = (language: Language, title: string, content: string, { nav = '', head = '' }: Parts = {}) =>
  renderPage(title, content, { language, nav, head })

const otherLanguages = (language: Language) =>
  LANGUAGES.filter((other) => other !== language)
    .map((other) => `<a href="?ui_locales=${other}" lang="${other}">${TEXTS[other].language}</a>`)
    .join('')

const itemOf = (text: string) => `<li>${icon('check')} ${text}</li>`

/** A page that says only how the sign-in ended. */
const renderText = (language: Language, title: string, text: string, link = '') =>
  render(language, title, `<h1>${title}</h1><p class="lead">${text}</p>${link}`)

export function renderSignIn(
  row: PageRow,
  language: Language,
  { base, appUrl }: { base: string; appUrl: string },
) {
  const texts = TEXTS[language]
  const partner = escapeHtml(row.name)
  const back = `<p class="row"><a class="button primary" href="${base}/continue">${texts.back(partner)}</a></p>`
  if (row.state === 'APPROVED') return renderText(language, texts.approvedInApp, texts.approvedInAppText)
  if (row.state === 'DECLINED') return renderText(language, texts.declined, texts.declinedText, back)
  if (row.state === 'EXPIRED') return renderText(language, texts.expired, texts.expiredText, back)
  if (row.state === 'CANCELLED') return renderText(language, texts.cancelled, texts.cancelledText, back)
  const items = [
    ...withFullName(row.items).map((item) => itemOf(texts.items[item])),
    ...row.optional_items.map((item) =>
      itemOf(`${texts.items[item]} <span class="badge">${texts.optional}</span>`),
    ),
  ]
  // The partner wrote the purpose, in a language that the service does not know.
  return render(
    language,
    texts.title,
    `<div class="asks">
      <header>
        <span class="partner-logo" aria-hidden="true">${escapeHtml(initialsOf(row.name))}</span>
        <h1>${texts.asks(partner)}</h1>
      </header>
      <p class="lead">${texts.purpose} <q lang="">${escapeHtml(row.text)}</q></p>
      <div class="beside">
      <section class="card">
        <p>${texts.shares}</p>
        <ul class="plain">${items.join('') || itemOf(texts.onlyIdentity)}</ul>
      </section>
      <section class="card scan">
        <p>${texts.scan}</p>
        <p><img id="qr" src="${base}/qr.svg" width="296" height="296" alt="${texts.scanAlt}" /></p>
        <p class="compare">${texts.compare} <strong>${row.comparison}</strong></p>
        <div class="same-device">
          <p class="row"><a class="button" href="${escapeHtml(appUrl)}">${texts.sameDevice}</a></p>
          <p class="soft small">${texts.appMissing}</p>
        </div>
        <p role="status"><span id="waiting"${row.is_opened ? ' hidden' : ''}>${texts.waiting}</span
          ><span id="opened"${row.is_opened ? '' : ' hidden'}>${texts.opened}</span></p>
        <noscript><p>${texts.noScript}</p></noscript>
        <form method="post" action="${base}/cancel"><button class="button">${texts.cancel}</button></form>
      </section>
      </div>
      </div>`,
    {
      nav: `<nav>${otherLanguages(language)}</nav>`,
      head: `
    <script type="module" src="${OIDC_PATH}${SCRIPT_PATH}"></script>
    <noscript><meta http-equiv="refresh" content="3" /></noscript>`,
    },
  )
}

type EndedBy = {
  error: string
  error_description?: string | undefined
  requestId: string
  /** The partner has sent a request that is wrong. */
  isOfPartner: boolean
}

/** `error`: the cause, for the developer of the partner. */
export function renderEnded(language: Language, error?: EndedBy) {
  const { ended, endedText, wrong, wrongText, problem, reference } = TEXTS[language]
  const [title, text] = error?.isOfPartner ? [wrong, wrongText] : [ended, endedText]
  return renderText(
    language,
    title,
    text,
    error &&
      `<p>${reference}: <code>${error.requestId}</code></p>
        <p class="small soft">${problem}: <code>${escapeHtml(error.error)}</code>${error.error_description ? `: ${escapeHtml(error.error_description)}` : ''}</p>`,
  )
}

/** `form`: the library's form \`op.logoutForm\`. */
export const renderLogout = (form: string, language: Language) => {
  const { logout, logoutText, logoutYes } = TEXTS[language]
  return renderText(
    language,
    logout,
    logoutText,
    `${form}<p class="row"><button class="button primary" type="submit" form="op.logoutForm" name="logout" value="yes">${logoutYes}</button></p>`,
  )
}

export const renderLoggedOut = (language: Language) =>
  renderText(language, TEXTS[language].loggedOut, TEXTS[language].loggedOutText)
