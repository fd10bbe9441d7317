import { routes } from '@tiwala/contract'
import { icon } from '@tiwala/ui/icons'
import { basePathOf } from '../contract/documents.ts'
import { escapeHtml, renderPage } from '../http/pages/render-page.ts'
import type { Service } from '../operation.ts'
import { type EventRow, listEvents } from './inbox.sql.ts'
import type { OwnHandler } from './own-handler.ts'
import { DEFAULT_ID, type Sandbox } from './sandboxes.sql.ts'

const MAX_CELL_CHARACTERS = 40

/** The page of received events, newest first. With `?follow`, it reloads every five seconds. */
export const readInboxPage: OwnHandler = async ({ db, config }, sandbox, { query }) => {
  const { timeZone } = config
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' })
  const rows = (await listEvents(db, sandbox.id)).map((event) => row(event, time))
  const help = howTo(testEvent(config, sandbox))
  return { page: page(rows, help, timeZone, 'follow' in query) }
}

const page = (rows: string[], help: string, timeZone: string, isFollowed: boolean) =>
  renderPage(
    `${rows.length ? `(${rows.length}) ` : ''}Inbox of the sandbox partner`,
    `<h1>Inbox</h1>
      <p class="lead">Events that the service sent to the sandbox partner, as it will send them to the callback
        URL of your server. Newest first.</p>
      <p class="row">${isFollowed ? FOLLOWED : NOT_FOLLOWED}</p>
      ${rows.length ? table(rows, timeZone) : NOTHING_YET}
      ${help}`,
    { isLive: false, isWide: true, head: isFollowed ? REFRESH : '' },
  )

// A page that reloads by itself takes a screen reader back to its start, so that the reader decides.
const REFRESH = '\n    <meta http-equiv="refresh" content="5" />'
const NOT_FOLLOWED =
  '<a class="button" href="?">Reload</a><a class="button" href="?follow">Reload every five seconds</a>'
const FOLLOWED =
  '<span class="badge good">Reloads every five seconds</span><a class="button compact" href="?">Stop</a>'

const NOTHING_YET = `<div class="empty">${icon('inbox')}<p>Nothing has arrived yet.</p>
        <a class="button primary" href="/sandbox/">Ask a citizen in the sandbox</a></div>`

/** How to send a test event, as HTML. On the internet, the default sandbox has no token for visitors. */
function testEvent(
  { isLocalSandbox, operatorUrl, publicUrl }: Service['config'],
  { sandbox_id, partner_code }: Sandbox,
): string {
  if (sandbox_id !== DEFAULT_ID)
    return `<pre><code>curl -X POST -H "Content-Type: application/json" \\
  -d '{"type":"webhook.test"}' \\
  ${escapeHtml([publicUrl, 'sandbox', sandbox_id, 'events'].join('/'))}</code></pre>`
  if (!isLocalSandbox)
    return '<p>In <a href="/docs/guides/testing#have-a-sandbox-of-your-own">a sandbox of your own</a>.</p>'
  const { method, path } = routes.operator.testCallback
  const url = operatorUrl + basePathOf('operator') + path.replace('{partner_code}', partner_code)
  return `<p>With <code>operator_token</code> of the <a href="/sandbox/bootstrap.json">sandbox credentials</a>:</p>
          <pre><code>curl -X ${method.toUpperCase()} \\
  -H "Authorization: Bearer $OPERATOR_TOKEN" \\
  ${escapeHtml(url)}</code></pre>`
}

function howTo(testEventHtml: string): string {
  return `<h2>Make an event appear</h2>
      <div class="cards">
        <section class="card"><h3>${icon('phone')} A citizen answers</h3>
          <p>Ask a citizen for their profile: <a href="/docs/guides/first-profile">two minutes</a>, or
          <code>npm run demo</code>. Their answer arrives here.</p></section>
        <section class="card"><h3>${icon('code')} A test event</h3>
          ${testEventHtml}</section>
      </div>
      <p class="soft small">The same <a href="inbox.json">as JSON</a>, with the received headers and bodies.</p>`
}

function table(rows: string[], timeZone: string): string {
  return `<div class="scroll" role="region" aria-label="Events" tabindex="0"><table class="table">
        <thead>
          <tr><th>Time</th><th>Event</th><th>Record</th><th>State</th><th>Signature</th><th>Attempts</th></tr>
        </thead>
        <tbody>
${rows.map((cells) => `          ${cells}`).join('\n')}
        </tbody>
      </table></div>
      <p class="soft small">Times of ${escapeHtml(timeZone)}. Record: the last four characters of the tracking
        number. A signature is valid if it was made with the partner's <code>webhook_secret</code>.</p>`
}

/** A state that brought the partner a profile, and one that took it. */
const TONES: Record<string, string> = {
  ACCEPTED: ' good',
  VIEWED: ' good',
  DECLINED: ' bad',
  REVOKED: ' bad',
  EXPIRED: ' warn',
  CANCELLED: ' warn',
}

const badge = (text: string, tone = '') => text && `<span class="badge${tone}">${text}</span>`

function row({ received_at, attempts, signature_ok, body }: EventRow, time: Intl.DateTimeFormat): string {
  const { type, data } = fieldsOf(readJson(body))
  const { tracking_no, state } = fieldsOf(data)
  const cells = [
    `<time datetime="${received_at.toISOString()}">${time.format(received_at)}</time>`,
    `<code>${shown(type) || 'no event'}</code>`,
    `<code>${shown(typeof tracking_no === 'string' ? tracking_no.slice(-4) : '')}</code>`,
    badge(shown(state), typeof state === 'string' ? TONES[state] : ''),
    signature_ok ? badge('Valid signature', ' good') : badge('Wrong signature', ' bad'),
    attempts,
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

/** Any client may post any text here. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value ? (value as Record<string, unknown>) : {}

const shown = (value: unknown): string =>
  typeof value === 'string' ? escapeHtml(value.slice(0, MAX_CELL_CHARACTERS)) : ''
