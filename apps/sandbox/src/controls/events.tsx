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
import { usePoll } from '../state/use-poll.ts'
import { eventChanges } from '../timeline/events.ts'
import { Arrivals } from './arrivals.tsx'
import { receiverOf } from './receiver.ts'

const REFRESH_MS = 5_000

/** Sends events to the inbox of this sandbox or to the visitor's own URL, with retries. */
export function Events() {
  const { sandbox } = useStore(saved)!
  const [type, setType] = useState<EventType>('webhook.test')
  const [url, setUrl] = useState('')
  const { isBusy, error, run, retry } = useAction()
  // The workbench can change it, too.
  const target = usePoll(
    () => callSandbox<{ callback_url: string | null }>('GET', pathOf(sandbox)),
    REFRESH_MS,
    useStore(eventChanges),
  )
  const change = (method: string, path: string, body: object, done: string) =>
    run(async () => {
      await callSandbox(method, pathOf(sandbox, path), body, recordedFetch('controls'))
      toast(done)
      eventChanges.update((count) => count + 1)
    })
  const setCallback = (callback_url: string | null) =>
    change('PUT', 'callback', { callback_url }, `Events now go to ${callback_url ?? 'the sandbox inbox'}.`)
  const refuseNext = () =>
    change('PUT', 'inbox/refusals', { count: 1 }, 'The inbox refuses the next delivery. It is retried.')
  return (
    <div class="events">
      <div class="events-acts">
        {target && (
          <p class="row">
            <span>
              Events go to <strong>{target.callback_url ?? 'the sandbox inbox'}</strong>
            </span>
            {target.callback_url ? (
              <Button class="compact" isOff={isBusy} onClick={() => setCallback(null)}>
                Send events to the sandbox inbox
              </Button>
            ) : (
              <Button class="compact" isOff={isBusy} onClick={refuseNext}>
                Let the inbox refuse the next delivery
              </Button>
            )}
          </p>
        )}
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
