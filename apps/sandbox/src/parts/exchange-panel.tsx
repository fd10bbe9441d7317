import { useState } from 'preact/hooks'
import { type Exchange, exchanges, type Message, type Side } from '../http/exchanges.ts'
import { nameOf } from '../http/operation-of.ts'
import { clientSamples, loadClientSamples, toCode, toCurl } from '../http/snippets.ts'
import { useStore } from '../state/create-store.ts'
import { citizenOf, saved } from '../state/sandbox.ts'
import { Choice } from './choice.tsx'
import { CopyButton } from './copy-button.tsx'

const MAX_SHOWN = 5
const VIEWS = { http: 'HTTP', curl: 'curl', code: 'Client code' } as const
type View = keyof typeof VIEWS

/** The latest requests of one side, with their responses, and as programs. */
export function ExchangePanel({ side }: { side: Side }) {
  const all = useStore(exchanges)
    .filter((exchange) => exchange.side === side)
    .slice(0, MAX_SHOWN)
  const [view, setView] = useState<View>('http')
  const [chosenId, setChosenId] = useState<number>()
  useStore(clientSamples)
  const chosen = all.find(({ id }) => id === chosenId) ?? all[0]
  if (!chosen) return null
  return (
    // Without the samples, the code is that of a plain request.
    <details class="exchanges" onToggle={() => void loadClientSamples().catch(() => {})}>
      <summary>
        What was sent: <code>{titleOf(chosen)}</code>
      </summary>
      <div class="row" role="group" aria-label="Latest requests">
        {all.map((exchange) => (
          <button
            key={exchange.id}
            type="button"
            class="plain"
            aria-pressed={exchange === chosen}
            onClick={() => setChosenId(exchange.id)}
          >
            {titleOf(exchange)}
          </button>
        ))}
      </div>
      <Choice label="View" options={VIEWS} value={view} onChange={setView} />
      <Snippet text={textOf(chosen, view)} />
    </details>
  )
}

export function Snippet({ text }: { text: string }) {
  return (
    <div class="snippet">
      <CopyButton text={text} />
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  )
}

const titleOf = (exchange: Exchange) => `${nameOf(exchange)} → ${exchange.response?.status ?? 'no response'}`

function textOf(exchange: Exchange, view: View): string {
  const { sandbox } = saved.get()!
  if (view === 'curl') return toCurl(exchange, sandbox, citizenOf(saved.get()!))
  if (view === 'code') return toCode(exchange, sandbox, citizenOf(saved.get()!))
  const { method, url, request, response, durationMs } = exchange
  const { pathname, search } = new URL(url)
  const form = request.form?.map(([name, value]) => `${name}: ${value}`).join('\n')
  return [
    `${method} ${pathname}${search}`,
    ...headersOf(request),
    ...[form ?? pretty(request.body)].filter(Boolean).map((body) => `\n${body}`),
    '',
    response ? `HTTP ${response.status} (after ${durationMs} ms)` : 'No response',
    ...(response ? [...headersOf(response), `\n${pretty(response.body)}`] : []),
  ].join('\n')
}

const headersOf = ({ headers }: Message) => headers.map(([name, value]) => `${name}: ${value}`)

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
