import type { Schemas } from '@tiwala/contract'
import type { InboxEvent } from '@tiwala/server/sandbox-bootstrap'
import { callSandbox, pathOf } from '../http/clients.ts'
import { advancedSeconds } from '../state/begin.ts'
import { createStore, useStore } from '../state/create-store.ts'
import { onOtherSandbox, saved } from '../state/sandbox.ts'
import { usePoll } from '../state/use-poll.ts'

type Delivery = Schemas['Delivery']

/** The newest events that the service sent, newest first. The desk follows its records by them. */
export const sentEvents = createStore<Delivery[]>([])
onOtherSandbox(() => sentEvents.set([]))

const REFRESH_MS = 2_000
const MAX_SHOWN = 8

/** What the service sent, and what the inbox received. */
export function Arrivals({ changes }: { changes: number }) {
  const { sandbox } = useStore(saved)!
  const advanced = useStore(advancedSeconds)
  const lists = usePoll(
    async () => {
      const read = <Body,>(path: string) => callSandbox<Body>('GET', pathOf(sandbox, path))
      const [{ deliveries }, { events }] = await Promise.all([
        read<{ deliveries: Delivery[] }>('deliveries'),
        read<{ events: InboxEvent[] }>('inbox.json'),
      ])
      sentEvents.set(deliveries)
      return { deliveries: deliveries.slice(0, MAX_SHOWN), events }
    },
    REFRESH_MS,
    `${changes} ${advanced}`,
  )
  if (!lists) return null
  if (lists.deliveries.length === 0) return <p>No event was sent yet.</p>
  return (
    <ul class="plain">
      {lists.deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.webhook_id}
          delivery={delivery}
          arrival={lists.events.find(({ webhook_id }) => webhook_id === delivery.webhook_id)}
        />
      ))}
    </ul>
  )
}

function DeliveryRow({ delivery, arrival }: { delivery: Delivery; arrival: InboxEvent | undefined }) {
  const { webhook_id, type, status, attempts, last_outcome, next_attempt_at } = delivery
  return (
    <li class="card" aria-label={`Event ${type}`}>
      <strong>{type}</strong> <span class={`state ${status}`}>{status}</span>
      <p class="small">
        <code>{webhook_id}</code>, attempts: {attempts}
        {last_outcome && `, last: ${last_outcome}`}
        {status === 'PENDING' && attempts > 0 && next_attempt_at && (
          <>, next: {new Date(next_attempt_at).toLocaleTimeString()} (move your clock to have it now)</>
        )}
      </p>
      {arrival && (
        <details>
          <summary>
            In the inbox: signature {arrival.signature_ok ? 'fits' : 'does not fit'}, received{' '}
            {arrival.attempts} ×{arrival.is_refused && ', refused with 503'}
          </summary>
          <pre tabIndex={0}>
            <code>{arrival.body}</code>
          </pre>
        </details>
      )}
    </li>
  )
}
