import type { InboxEvent } from '@tiwala/server/sandbox-bootstrap'
import { Fold } from '../parts/fold.tsx'
import { Icon } from '../parts/icon.tsx'
import { pretty, Snippet } from '../parts/snippet.tsx'
import { sinceInWords, timesInWords } from '../parts/words.ts'
import { State } from '../phone/consent-card.tsx'
import { useStore } from '../state/create-store.ts'
import { type Delivery, receivedEvents, receivedOf, sentEvents } from '../timeline/events.ts'

const MAX_SHOWN = 8

/** What the service sent, and what the inbox received. */
export function Arrivals() {
  const deliveries = useStore(sentEvents)
  const received = useStore(receivedEvents)
  if (deliveries.length === 0)
    return (
      <p class="empty">
        <Icon name="inbox" />
        <br />
        No event was sent yet.
      </p>
    )
  return (
    <ul class="rows">
      {deliveries.slice(0, MAX_SHOWN).map((delivery) => (
        <DeliveryRow key={delivery.webhook_id} delivery={delivery} arrival={receivedOf(delivery, received)} />
      ))}
    </ul>
  )
}

function DeliveryRow({ delivery, arrival }: { delivery: Delivery; arrival: InboxEvent | undefined }) {
  const { webhook_id, type, status, attempts, last_outcome, next_attempt_at } = delivery
  return (
    <li aria-label={`Event ${type}`}>
      <Fold
        summary={
          <>
            <code>{type}</code>
            <State state={status} />
            <span class="when">
              {last_outcome ? `${last_outcome} at attempt ${attempts}` : 'not tried yet'}
              {arrival &&
                `, ${arrival.signature_ok ? 'valid' : 'wrong'} signature, received ${timesInWords(arrival.attempts)}`}
            </span>
          </>
        }
      >
        <p class="small soft">
          <code>{webhook_id}</code>
          {arrival && <>, received {sinceInWords(arrival.received_at)}</>}
          {arrival?.is_refused && ', refused with 503'}
          {status === 'PENDING' && attempts > 0 && next_attempt_at && (
            <>, next at {new Date(next_attempt_at).toLocaleTimeString()} (move your clock to have it now)</>
          )}
        </p>
        {arrival ? (
          <Snippet text={pretty(arrival.body)} />
        ) : (
          <p class="small">The inbox has not received it.</p>
        )}
      </Fold>
    </li>
  )
}
