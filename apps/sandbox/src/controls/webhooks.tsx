import { useState } from 'preact/hooks'
import { callSandbox, pathOf } from '../http/clients.ts'
import { recordedFetch } from '../http/exchanges.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Snippet } from '../parts/exchange-panel.tsx'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { Arrivals } from './arrivals.tsx'
import { receiverOf } from './receiver.ts'

const TYPES = [
  'webhook.test',
  'authorization.accepted',
  'authorization.declined',
  'authorization.expired',
  'authorization.cancelled',
  'authorization.revoked',
  'profile.viewed',
  'sso.authenticated',
  'credential.expiring',
]

/** Sends events to the inbox of this sandbox or to the visitor's own URL, with retries. */
export function Webhooks() {
  const { sandbox } = useStore(saved)!
  const [type, setType] = useState(TYPES[0]!)
  const [url, setUrl] = useState('')
  const [note, setNote] = useState('')
  const [changes, setChanges] = useState(0)
  const { isBusy, error, run, retry } = useAction()
  const change = (method: string, path: string, body: object, done: string) =>
    run(async () => {
      setNote('')
      await callSandbox(method, pathOf(sandbox, path), body, recordedFetch('controls'))
      setNote(done)
      setChanges(changes + 1)
    })
  const setCallback = (callback_url: string | null) =>
    change('PUT', 'callback', { callback_url }, `Events now go to ${callback_url ?? 'the inbox below'}.`)
  return (
    <details>
      <summary>Webhooks: send an event, see it arrive</summary>
      <p class="row">
        <label class="field">
          Event{' '}
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            {TYPES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <Button
          class="main"
          isOff={isBusy}
          onClick={() => change('POST', 'events', { type }, `${type} is on its way.`)}
        >
          Send
        </Button>
      </p>
      <form
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
          <Button type="submit" isOff={isBusy}>
            Send events to my URL
          </Button>
          <Button isOff={isBusy} onClick={() => setCallback(null)}>
            Back to the inbox
          </Button>
        </p>
      </form>
      <details>
        <summary>A receiver that checks the signature</summary>
        <Snippet text={receiverOf(location.origin, sandbox.partner.webhook_secret)} />
      </details>
      <p class="row">
        <Button
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
      <p role="status">{note}</p>
      <ErrorBox error={error} retry={retry} />
      <Arrivals changes={changes} />
    </details>
  )
}
