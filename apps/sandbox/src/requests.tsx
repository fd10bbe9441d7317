import type { ListedRequest } from '@tiwala/server/sandbox-bootstrap'
import { useState } from 'preact/hooks'
import { callSandbox, pathOf } from './http/clients.ts'
import { exchanges } from './http/exchanges.ts'
import { Diagnose } from './parts/error-box.tsx'
import { useStore } from './state/create-store.ts'
import { saved } from './state/sandbox.ts'
import { usePoll } from './state/use-poll.ts'

const REFRESH_MS = 3_000
/** Requests are listed shortly after their response. */
const LISTED_AFTER_MS = 300

/** Every request of the visitor's partner, from this page or from the visitor's own programs. */
export function Requests() {
  const { sandbox } = useStore(saved)!
  const sent = useStore(exchanges)
  const [text, setText] = useState('')
  const [isFailedOnly, setFailedOnly] = useState(false)
  const list = usePoll(
    async () => {
      await new Promise((resolve) => setTimeout(resolve, LISTED_AFTER_MS))
      return (await callSandbox<{ requests: ListedRequest[] }>('GET', pathOf(sandbox, 'requests'))).requests
    },
    REFRESH_MS,
    sent[0]?.id,
  )
  const wanted = text.trim()
  const shown = (list ?? []).filter(
    ({ request_id, error }) => (!isFailedOnly || error) && (!wanted || request_id.includes(wanted)),
  )
  return (
    <section class="part requests" aria-labelledby="requests-title">
      <h2 id="requests-title">Requests</h2>
      <p class="small">
        What this partner sent: from this page, or from your own programs. The newest 100. A request with
        wrong secrets is listed if it names this partner by <code>X-Secret-Code</code> or{' '}
        <code>partner_code</code>. Without them, the service cannot know whose it is.
      </p>
      <p class="row">
        <label class="field">
          Request ID{' '}
          <input
            value={text}
            autocomplete="off"
            spellcheck={false}
            placeholder="req_…"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label>
          <input type="checkbox" checked={isFailedOnly} onChange={() => setFailedOnly(!isFailedOnly)} />
          Failed only
        </label>
      </p>
      {list && shown.length === 0 && <p>{list.length ? 'No request fits.' : 'No request yet.'}</p>}
      <ul class="plain">
        {shown.map((request) => (
          <RequestRow key={request.request_id} request={request} />
        ))}
      </ul>
    </section>
  )
}

function RequestRow({ request }: { request: ListedRequest }) {
  const { request_id, received_at, method, operation, status, error, duration_ms } = request
  return (
    <li class="card request">
      <span class={error ? 'status-code failed' : 'status-code'}>{status}</span>{' '}
      <strong>{operation ?? `${method} (no operation)`}</strong>{' '}
      {error && (
        <a href={`/errors/${error}`} target="_blank" rel="noreferrer">
          {error}
        </a>
      )}{' '}
      <span class="small">
        {duration_ms} ms, {new Date(received_at).toLocaleTimeString()}
      </span>
      <br />
      <code class="small">{request_id}</code> {error && status < 500 && <Diagnose requestId={request_id} />}
    </li>
  )
}
