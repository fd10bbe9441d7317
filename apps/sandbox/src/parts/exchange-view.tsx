import { Status } from '@tiwala/ui/parts'
import { useEffect, useState } from 'preact/hooks'
import type { Exchange, Message } from '../http/exchanges.ts'
import { clientSamples, loadClientSamples, toCode, toCurl } from '../http/snippets.ts'
import { useStore } from '../state/create-store.ts'
import { citizenOf, saved } from '../state/sandbox.ts'
import { Choice } from './choice.tsx'
import { Fold } from './fold.tsx'
import { pretty, Snippet } from './snippet.tsx'

const VIEWS = { http: 'HTTP', curl: 'curl', code: 'Client code' } as const
type View = keyof typeof VIEWS

/** A request with its response: the bodies first, the headers folded. Also as programs. */
export function ExchangeView({ exchange }: { exchange: Exchange }) {
  const [view, setView] = useState<View>('http')
  useStore(clientSamples)
  // Without the samples, the code is that of a plain request.
  useEffect(() => void loadClientSamples().catch(() => {}), [])
  const { sandbox } = saved.get()!
  const citizen = citizenOf(saved.get()!)
  return (
    <div class="exchange">
      <Choice label="View" options={VIEWS} value={view} onChange={setView} />
      {view === 'http' && <Http exchange={exchange} />}
      {view === 'curl' && <Snippet text={toCurl(exchange, sandbox, citizen)} />}
      {view === 'code' && <Snippet text={toCode(exchange, sandbox, citizen)} />}
    </div>
  )
}

function Http({ exchange: { method, url, request, response, durationMs } }: { exchange: Exchange }) {
  const { pathname, search } = new URL(url)
  const form = request.form?.map(([name, value]) => `${name}: ${value}`).join('\n')
  const body = form ?? pretty(request.body)
  return (
    <>
      <p class="message-line">
        <span class={`method ${method}`}>{method}</span> <code>{pathname + search}</code>
      </p>
      {body && <Snippet text={body} />}
      <Headers of={request} />
      <p class="message-line">
        <Status status={response?.status} /> {response && `after ${durationMs} ms`}
      </p>
      {response && (
        <>
          {response.body && <Snippet text={pretty(response.body)} />}
          <Headers of={response} />
        </>
      )}
    </>
  )
}

function Headers({ of: { headers } }: { of: Message }) {
  if (headers.length === 0) return null
  return (
    <Fold summary={headers.length === 1 ? '1 header' : `${headers.length} headers`}>
      <dl class="headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Fold>
  )
}
