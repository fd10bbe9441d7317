// The events that the service sent, and those that the inbox received.
import type { Schemas } from '@tiwala/contract'
import type { InboxEvent } from '@tiwala/server/sandbox-bootstrap'
import { callSandbox, pathOf } from '../http/clients.ts'
import { phoneChanges } from '../phone/consents.ts'
import { advancedSeconds } from '../state/begin.ts'
import { createStore, useStore } from '../state/create-store.ts'
import { onOtherSandbox, saved } from '../state/sandbox.ts'
import { usePoll } from '../state/use-poll.ts'

export type Delivery = Schemas['Delivery']

/** Newest first. The desk follows its records by them. */
export const sentEvents = createStore<Delivery[]>([])
export const receivedEvents = createStore<InboxEvent[]>([])
onOtherSandbox(() => {
  sentEvents.set([])
  receivedEvents.set([])
})

/** Raised after an act that sends an event, so that the lists are read again. */
export const eventChanges = createStore(0)

const REFRESH_MS = 2_000

/** Keeps both lists up to date. Returns false until they were read. */
export function useEventRefresh(): boolean {
  const { sandbox } = useStore(saved)!
  const triggers = [useStore(eventChanges), useStore(advancedSeconds), useStore(phoneChanges)]
  return !!usePoll(
    async () => {
      const read = <Body>(path: string) => callSandbox<Body>('GET', pathOf(sandbox, path))
      const [{ deliveries }, { events }] = await Promise.all([
        read<{ deliveries: Delivery[] }>('deliveries'),
        read<{ events: InboxEvent[] }>('inbox.json'),
      ])
      sentEvents.set(deliveries)
      receivedEvents.set(events)
      return true
    },
    REFRESH_MS,
    triggers.join(' '),
  )
}

export const receivedOf = (delivery: Delivery, received: InboxEvent[]) =>
  received.find(({ webhook_id }) => webhook_id === delivery.webhook_id)
