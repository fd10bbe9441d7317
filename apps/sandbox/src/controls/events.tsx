import { EVENT_TYPES, type EventType } from '@tiwala/ui/event-types'
import { toast } from '@tiwala/ui/toast'
import { useState } from 'preact/hooks'
import { callSandbox, pathOf } from '../http/clients.ts'
import { recordedFetch } from '../http/exchanges.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Fold } from '../parts/fold.tsx'
import { Snippet } from '../parts/snippet.tsx'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { eventChanges } from '../timeline/events.ts'
import { Arrivals } from './arrivals.tsx'
import { receiverOf } from './receiver.ts'

/** Sends events to the inbox of this sandbox or to the visitor's own URL, with retries. */
export function Events() {
  const { sandbox } = useStore(saved)!
  const [type, setType] = useState<EventType>('webhook.test')
  const [url, setUrl] = useState('')
  const { isBusy, error, run, retry } = useAction()
  const change = (method: string, path: string, body: object, done: string) =>
    run(async () => {
      await callSandbox(method, pathOf(sandbox, path), body, recordedFetch('controls'))
      toast(done)
      eventChanges.update((count) => count + 1)
    })
  const setCallback = (callback_url: string | null) =>
    change('PUT', 'callback', { callback_url }, `Events now go to ${callback_url ?? 'the inbox'}.`)
  return (
    <div class="events">
      <div class="events-acts">
        <p class="acts-line">
          <label class="field">
            Event{' '}
            <select value={type} onChange={(event) => setType(event.currentTarget.value as EventType)}>
              {EVENT_TYPES.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <Button
            class="primary"
            isOff={isBusy}
            onClick={() => change('POST', 'events', { type }, `${type} is on its way.`)}
          >
            Send
          </Button>
        </p>
        <p>
          <Button
            class="compact"
            isOff={isBusy}
            onClick={() =>
              change(
                'PUT',
                'inbox/refusals',
                { count: 1 },
                'The inbox refuses the next delivery. It is retried.',
              )
            }
          >
            Let the inbox refuse the next delivery
          </Button>
        </p>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            setCallback(url.trim())
          }}
        >
          <label class="field">
            My own URL{' '}
            <input
              value={url}
              required
              inputMode="url"
              autocomplete="off"
              placeholder="https://example.com/events"
              onInput={({ currentTarget }) => {
                setUrl(currentTarget.value)
                currentTarget.setCustomValidity(
                  currentTarget.value.trim() ? '' : 'Enter the URL of your receiver.',
                )
              }}
            />
          </label>
          <p class="row">
            <Button type="submit" class="compact" isOff={isBusy}>
              Send events to my URL
            </Button>
            <Button class="compact" isOff={isBusy} onClick={() => setCallback(null)}>
              Back to the inbox
            </Button>
          </p>
        </form>
        <Fold summary="A receiver that checks the signature">
          <Snippet text={receiverOf(location.origin, sandbox.partner.webhook_secret)} />
        </Fold>
        <ErrorBox error={error} retry={retry} />
      </div>
      <Arrivals />
    </div>
  )
}
