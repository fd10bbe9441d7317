import type { ListedRequest } from '@tiwala/server/sandbox-bootstrap'
import { Status } from '@tiwala/ui/parts'
import { useState } from 'preact/hooks'
import { callSandbox, pathOf } from '../http/clients.ts'
import { type Exchange, exchanges } from '../http/exchanges.ts'
import { Diagnose } from '../parts/error-box.tsx'
import { ExchangeView } from '../parts/exchange-view.tsx'
import { Fold } from '../parts/fold.tsx'
import { sinceInWords } from '../parts/words.ts'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { usePoll } from '../state/use-poll.ts'

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
    <>
      <p class="small soft">
        The <a href={`/workbench/sign-in?login_hint=${sandbox.sandbox_id}`}>workbench</a> of the partner keeps
        them for its people, also in live.
      </p>
      <div class="filters">
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
        <label class="switch">
          <input type="checkbox" checked={isFailedOnly} onChange={() => setFailedOnly(!isFailedOnly)} />
          <span>Failed only</span>
        </label>
      </div>
      {shown.length === 0 && (
        <p class="empty">
          {!list ? 'Reading the requests …' : list.length ? 'No request fits.' : 'No request yet.'}
        </p>
      )}
      <ul class="rows">
        {shown.map((request) => (
          <RequestRow
            // The only one that fits a request ID is open.
            key={`${request.request_id} ${request.request_id === wanted}`}
            request={request}
            isOpen={request.request_id === wanted}
            exchange={sent.find((exchange) => isOf(exchange, request))}
          />
        ))}
      </ul>
      <p class="small soft">
        What this partner sent: from this page, or from your own programs. The newest 100. A request with
        wrong secrets is listed if it names this partner by <code>X-Secret-Code</code> or{' '}
        <code>partner_code</code>. Without them, the service cannot know whose it is.
      </p>
    </>
  )
}

const isOf = ({ response }: Exchange, { request_id }: ListedRequest) =>
  response?.headers.some(([name, value]) => name === 'x-request-id' && value === request_id)

function RequestRow({
  request: { request_id, received_at, method, operation, status, error, duration_ms },
  isOpen,
  exchange,
}: {
  request: ListedRequest
  isOpen: boolean
  exchange: Exchange | undefined
}) {
  return (
    <li>
      <Fold
        isOpen={isOpen}
        summary={
          <>
            <Status status={status} />
            <code>{operation ?? `${method} (no operation)`}</code>
            {error && <code class="refusal">{error}</code>}
            <span class="when">{sinceInWords(received_at)}</span>
          </>
        }
      >
        <p class="small soft">
          <code>{request_id}</code>, answered in {duration_ms} ms
        </p>
        {error && (
          <p class="row">
            <a href={`/errors/${error}`} target="_blank" rel="noreferrer">
              What {error} means
            </a>
            {status < 500 && <Diagnose requestId={request_id} />}
          </p>
        )}
        {exchange ? (
          <ExchangeView exchange={exchange} />
        ) : (
          <p class="small">Another tab or a program sent it, so this page does not have its body.</p>
        )}
      </Fold>
    </li>
  )
}
