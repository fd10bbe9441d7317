// The button "Run it" of an operation. It makes the reader a sandbox, or takes that of the sandbox page.
import { routes } from '@tiwala/contract'
import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import { withLock } from '@tiwala/ui/with-lock'
import {
  type Answer,
  credentialsOf,
  errorOf,
  freshValues,
  headersOf,
  send,
  sendFirst,
  type Values,
} from './values.ts'

type PartnerOperation = keyof typeof routes.partner
type Check = { check: string; outcome: string; detail: string | null }

/** Where the sandbox page keeps its sandbox, which these pages only read; and where they keep their own. */
const KEYS = { ofSandboxPage: 'tiwala-sandbox', own: 'tiwala-docs-sandbox' }
const SHOWN_HEADERS = ['X-Authorization-State', 'X-Authorization-Expires-At', 'Retry-After', 'X-Request-Id']

/** While one tab looks for its sandbox, the others wait. A request that takes longer has no response. */
const inTime = () => AbortSignal.timeout(10_000)

/** The sandbox that this page made. The browser may not store it. */
let own: CreatedSandbox | undefined

function readSaved(): (CreatedSandbox | null | undefined)[] {
  try {
    return [
      JSON.parse(localStorage.getItem(KEYS.own) ?? 'null') as CreatedSandbox | null,
      (JSON.parse(localStorage.getItem(KEYS.ofSandboxPage) ?? 'null') as { sandbox?: CreatedSandbox } | null)
        ?.sandbox,
    ]
  } catch {
    return []
  }
}

async function findSandbox(): Promise<CreatedSandbox> {
  for (const sandbox of [own, ...readSaved()]) {
    if (!sandbox) continue
    const path = `/sandbox/${sandbox.sandbox_id}`
    const answer = await send({ method: 'get', path }, {}, {}, inTime())
    if (answer.status < 400) return sandbox
    // Only 404 says that it has ended. Each further sandbox counts for the address of the reader.
    if (answer.status !== 404) throw errorOf(answer)
  }
  own = (await sendFirst({ method: 'post', path: '/sandbox' }, {}, {}, inTime())) as CreatedSandbox
  try {
    localStorage.setItem(KEYS.own, JSON.stringify(own))
  } catch {
    // A blocked storage. The sandbox is in the memory of this page.
  }
  return own
}

const element = (name: string, className: string, ...content: (Node | string)[]) => {
  const made = document.createElement(name)
  made.className = className
  made.append(...content)
  return made
}

function showAnswer({ status, headers, body }: Answer): HTMLElement[] {
  const lines = SHOWN_HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value ? [`${name}: ${value}`] : []
  })
  return [
    element(
      'p',
      '',
      element('span', `badge ${status < 400 ? 'good' : 'bad'}`, String(status)),
      ` ${typeof body?.['error'] === 'string' ? body['error'] : 'The real response'}`,
    ),
    element('pre', '', element('code', '', [...lines, '', JSON.stringify(body, null, 2)].join('\n'))),
  ]
}

/** Which check refused the request, as the service tells its partner. */
async function showDiagnosis({ headers }: Answer, sandbox: CreatedSandbox): Promise<HTMLElement[]> {
  const values = { request_id: headers.get('X-Request-Id') ?? '' }
  const { status, body } = await send(routes.partner.readDiagnosis, values, credentialsOf(sandbox))
  if (status !== 200) return []
  const { checks } = body!['data'] as { checks: Check[] }
  const items = checks.map(({ check, outcome, detail }) => {
    const words = `${check}: ${outcome.replace('_', ' ')}`
    const className = { passed: 'done', failed: 'failed', not_reached: '' }[outcome] ?? ''
    return element('li', className, detail ? `${words}, ${detail}` : words)
  })
  return [
    element('p', 'small', 'Its diagnosis, from readDiagnosis:'),
    element('ol', 'timeline small', ...items),
  ]
}

/** Puts the values into the samples of every language, and into what their copy buttons copy. */
function fillSamples(examples: Values, values: Values): void {
  const samples = document.querySelector('.samples')!
  for (const [name, value] of Object.entries(values)) {
    const example = examples[name]
    if (!example) continue
    examples[name] = value
    const texts = document.createTreeWalker(samples, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (
        node.nodeValue!.includes(example) &&
        node.parentElement!.closest('starlight-tabs[data-sync-key] pre')
      )
        node.nodeValue = node.nodeValue!.replaceAll(example, value)
    for (const button of samples.querySelectorAll<HTMLElement>('starlight-tabs[data-sync-key] [data-code]'))
      button.dataset['code'] = button.dataset['code']!.replaceAll(example, value)
  }
}

const exportsOf = ({ partner }: CreatedSandbox) =>
  [
    `export TIWALA_SECRET_CODE=${partner.secret_code}`,
    `export TIWALA_SECRET_TOKEN=${partner.secret_token}`,
    `export TIWALA_PARTNER_CODE=${partner.partner_code}`,
    `export TIWALA_PARTNER_SECRET=${partner.partner_secret}`,
  ].join('\n')

customElements.define(
  'run-it',
  class extends HTMLElement {
    connectedCallback() {
      const button = this.querySelector('button')!
      const result = this.querySelector('.result')!
      const id = this.dataset['operation'] as PartnerOperation
      const examples = JSON.parse(this.dataset['examples']!) as Values
      this.hidden = false
      const run = async () => {
        // If two tabs need a sandbox, one of them makes it.
        const sandbox = await withLock(KEYS.own, findSandbox)
        const values = (await freshValues[id]?.(sandbox)) ?? {}
        fillSamples(examples, values)
        // The access token is a header, and no value of the body.
        const sent = id === 'authenticate' ? {} : values
        const answer = await send(routes.partner[id], sent, headersOf(id, sandbox, values))
        const diagnosis = answer.status < 400 ? [] : await showDiagnosis(answer, sandbox)
        const credentials = element(
          'details',
          'note',
          element('summary', '', 'The credentials of your sandbox, for the samples'),
          element('pre', '', element('code', '', exportsOf(sandbox))),
        )
        result.replaceChildren(...showAnswer(answer), ...diagnosis, credentials)
      }
      button.addEventListener('click', () => {
        if (button.ariaBusy === 'true') return
        button.ariaBusy = 'true'
        run()
          .catch((error: unknown) => result.replaceChildren(`It did not work: ${(error as Error).message}`))
          .finally(() => (button.ariaBusy = null))
      })
    }
  },
)
