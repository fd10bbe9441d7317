import { routes } from '@tiwala/contract'
import { basePathOf } from '../contract/documents.ts'
import { escapeHtml } from '../http/pages/render-page.ts'
import { type EventRow, listEvents } from './inbox.sql.ts'
import type { OwnHandler } from './own-handler.ts'

const MAX_CELL_CHARACTERS = 40

/** The page of received events, newest first. It reloads every five seconds. */
export const readInboxPage: OwnHandler = async ({ db, config }, { id, partner_code }) => {
  const { timeZone, operatorUrl } = config
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' })
  const rows = (await listEvents(db, id)).map((event) => row(event, time))
  return { page: page(rows, howTo(operatorUrl, partner_code), timeZone) }
}

const page = (rows: string[], help: string, timeZone: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="refresh" content="5" />
    <title>${rows.length ? `(${rows.length}) ` : ''}Inbox of the sandbox partner</title>
    <link rel="icon" href="/icon.svg" />
    <link rel="stylesheet" href="/page.css" />
    <link rel="stylesheet" href="/inbox.css" />
  </head>
  <body>
    <main>
      <h1>Inbox</h1>
      <p>Events that the service sent to the sandbox partner, as it will send them to the callback URL of
        your server. Newest first. This page reloads every five seconds.</p>
      ${rows.length ? table(rows, timeZone) : NOTHING_YET}
      ${help}
    </main>
  </body>
</html>
`

const NOTHING_YET = '<p class="nothing">Nothing has arrived yet.</p>'

function howTo(operatorUrl: string, partnerCode: string): string {
  const { method, path } = routes.operator.testCallback
  const url = operatorUrl + basePathOf('operator') + path.replace('{partner_code}', partnerCode)
  return `<h2>Make an event appear</h2>
      <ul>
        <li>Ask a citizen for their profile:
          <a href="/docs/guides/first-profile">two minutes</a>,
          or <code>npm run demo</code>. Their answer arrives here.</li>
        <li>Or send a test event, with <code>operator_token</code> of the
          <a href="/sandbox/bootstrap.json">sandbox credentials</a>:
          <pre><code>curl -X ${method.toUpperCase()} -H "Authorization: Bearer $OPERATOR_TOKEN" \\
  ${escapeHtml(url)}</code></pre></li>
      </ul>
      <p>The same <a href="inbox.json">as JSON</a>, with the received headers and bodies.</p>`
}

function table(rows: string[], timeZone: string): string {
  return `<div class="wide"><table>
        <thead>
          <tr><th>Time</th><th>Event</th><th>Record</th><th>State</th><th>Signature</th><th>Attempts</th></tr>
        </thead>
        <tbody>
${rows.map((cells) => `          ${cells}`).join('\n')}
        </tbody>
      </table></div>
      <p class="note">Times of ${escapeHtml(timeZone)}. Record: the last four characters of the tracking
        number. Signature: whether it was made with the partner's <code>webhook_secret</code>.</p>`
}

function row({ received_at, attempts, signature_ok, body }: EventRow, time: Intl.DateTimeFormat): string {
  const { type, data } = fieldsOf(readJson(body))
  const { tracking_no, state } = fieldsOf(data)
  const cells = [
    `<time datetime="${received_at.toISOString()}">${time.format(received_at)}</time>`,
    shown(type) || '<em>no event</em>',
    `<code>${shown(typeof tracking_no === 'string' ? tracking_no.slice(-4) : '')}</code>`,
    shown(state),
    signature_ok ? '<span class="fits">fits</span>' : '<span class="unfit">does not fit</span>',
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
