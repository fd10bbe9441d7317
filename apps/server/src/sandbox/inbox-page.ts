import { routes } from '@tiwala/contract'
import { icon } from '@tiwala/ui/icons'
import { basePathOf } from '../contract/documents.ts'
import { escapeHtml, renderPage } from '../http/pages/render-page.ts'
import type { Service } from '../operation.ts'
import { type EventRow, listEvents } from './inbox.sql.ts'
import type { OwnHandler } from './own-handler.ts'
import { DEFAULT_ID, type Sandbox } from './sandboxes.sql.ts'

const MAX_CELL_CHARACTERS = 40

/** The page of received events, newest first. Its script shows new ones as they arrive. */
export const readInboxPage: OwnHandler = async ({ db, config }, sandbox) => {
  const { timeZone } = config
  const time = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'medium', timeStyle: 'medium' })
  const rows = (await listEvents(db, sandbox.id)).map((event) => row(event, time))
  return { page: page(rows, howTo(testEvent(config, sandbox)), timeZone) }
}

const page = (rows: string[], help: string, timeZone: string) =>
  renderPage(
    'Inbox of the sandbox partner',
    `<h1>Inbox</h1>
      <p class="lead">Events that the service sent to the sandbox partner, as it will send them to the callback
        URL of your server. Newest first, and new ones appear by themselves.</p>
      <noscript><p class="row"><a class="button" href="?">Reload</a></p></noscript>
      <p class="small soft" role="status">${rows.length} received</p>
      <div id="events">${rows.length ? list(rows, timeZone) : NOTHING_YET}</div>
      ${help}`,
    { isLive: false, isWide: true, head: `<script type="module" src="${INBOX_SCRIPT.path}"></script>` },
  )

/** Asks every two seconds, while the page is seen. Events that are open stay open. */
export const INBOX_SCRIPT = {
  path: '/sandbox/inbox.js',
  text: `const read = async () => {
  const response = await fetch(location.href, { cache: 'no-store' })
  return response.ok && new DOMParser().parseFromString(await response.text(), 'text/html')
}
let shown = document.querySelector('#events').innerHTML
setInterval(async () => {
  if (document.hidden) return
  const next = await read().catch(() => {})
  if (!next) return
  const [old, events] = [document, next].map((page) => page.querySelector('#events'))
  const text = events.innerHTML
  if (text === shown) return
  shown = text
  const focused = document.activeElement?.parentElement?.id
  for (const { id } of old.querySelectorAll('details[open]')) next.getElementById(id)?.setAttribute('open', '')
  old.replaceWith(events)
  if (focused) document.getElementById(focused)?.querySelector('summary')?.focus()
  document.querySelector('[role=status]').textContent = next.querySelector('[role=status]').textContent
}, 2000)
`,
}

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
          <p><a href="/docs/guides/first-profile">Ask a citizen for a profile</a>. The answer arrives here.</p></section>
        <section class="card"><h3>${icon('code')} A test event</h3>
          ${testEventHtml}</section>
      </div>
      <p class="soft small">The same <a href="inbox.json">as JSON</a>, with the received headers and bodies.</p>`
}

const list = (rows: string[], timeZone: string) => `<ul class="inbox">
${rows.map((item) => `          <li>${item}</li>`).join('\n')}
        </ul>
      <p class="soft small">Times of ${escapeHtml(timeZone)}. A signature is valid if it was made with the
        partner's <code>webhook_secret</code>.</p>`

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

function row(event: EventRow, time: Intl.DateTimeFormat): string {
  const { received_at, attempts, is_refused, webhook_id, signature_ok, body } = event
  const value = readJson(body)
  const { type, data } = fieldsOf(value)
  const { tracking_no, state } = fieldsOf(data)
  const headers = (['webhook_id', 'webhook_timestamp', 'webhook_signature'] as const).map(
    (name) => `${name.replace('_', '-')}: ${event[name] ?? ''}`,
  )
  const line = [
    `<time datetime="${received_at.toISOString()}">${time.format(received_at)}</time>`,
    `<code>${shown(type) || 'no event'}</code>`,
    badge(shown(state), typeof state === 'string' ? TONES[state] : ''),
    signature_ok ? badge('Valid signature', ' good') : badge('Wrong signature', ' bad'),
    is_refused ? badge('Refused', ' warn') : '',
    attempts > 1 ? `<span class="soft small">${attempts} attempts</span>` : '',
    typeof tracking_no === 'string' ? `<code class="soft">…${escapeHtml(tracking_no.slice(-4))}</code>` : '',
  ]
  const key = `${webhook_id ?? received_at.toISOString()} ${signature_ok}`
  return `<details id="${escapeHtml(key)}"><summary>${line.join(' ')}</summary>
            <pre tabindex="0"><code>${escapeHtml(`${headers.join('\n')}\n\n${value === undefined ? body : JSON.stringify(value, null, 2)}`)}</code></pre></details>`
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
