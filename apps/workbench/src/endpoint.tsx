import type { Schemas } from '@tiwala/contract'
import { ask } from '@tiwala/ui/dialog'
import { EVENT_TYPES, type EventType } from '@tiwala/ui/event-types'
import { State, Time } from '@tiwala/ui/parts'
import { api, type Session } from './api.ts'
import { NewSecret } from './new-secret.tsx'
import type { NewSecrets } from './use-new-secrets.ts'

const MEANINGS: Record<Schemas['Endpoint']['status'], string> = {
  NOT_SET: 'There is no callback URL, so you get no events.',
  ACTIVE: 'The service sends your events to it.',
  FAILING: 'The last attempt failed. The service attempts only a few events at once.',
  DISABLED: 'Your server responded with 410, so the service sends no events.',
}
/** Why a replay would send nothing. */
export const OBSTACLES: Partial<typeof MEANINGS> = {
  NOT_SET: 'To replay events, set a callback URL first.',
  DISABLED: 'To replay events, enable the endpoint first.',
}
const GRACES = { 7: '7 days', 1: '1 day', 0: 'no time: it has leaked' }

/** Runs an act, and reads the page again. */
export type Act = (run: () => Promise<string | void>) => Promise<void>
type Props = { endpoint: Schemas['Endpoint']; session: Session; newSecrets: NewSecrets; act: Act }

/** Where the events go, with what can be done about it. */
export function Endpoint({ endpoint, session: { role }, newSecrets, act }: Props) {
  const { callback_url, status, disabled_at, dead_letters, previous_secret_until } = endpoint
  const isSet = status !== 'NOT_SET'
  const enable = async () => {
    await api('enableEndpoint', {})
    return 'Enabled. Replay what was given up meanwhile.'
  }
  const sendTest = (form: HTMLFormElement) => async () => {
    const type = new FormData(form).get('type') as EventType
    await api('testOwnCallback', { body: { type } })
    return `Sent: ${type}.`
  }
  return (
    <section class="card">
      <h2>
        Endpoint <State state={status} />
      </h2>
      <p>
        {callback_url && (
          <>
            <code>{callback_url}</code>
            <br />
          </>
        )}
        {MEANINGS[status]}{' '}
        {disabled_at && (
          <>
            Since <Time at={disabled_at} />.
          </>
        )}
      </p>
      {dead_letters > 0 && (
        <p>
          {dead_letters >= 1_000 ? 'At least 1,000' : dead_letters} given up.{' '}
          <a href="#/events?status=DEAD">Show them</a>
        </p>
      )}
      {previous_secret_until && (
        <p>
          Events have a signature of the previous secret, too, until <Time at={previous_secret_until} />.
        </p>
      )}
      {role !== 'viewer' && (status === 'DISABLED' || status === 'FAILING') && (
        <p>
          <button type="button" class="button primary" onClick={() => void act(enable)}>
            Enable
          </button>
        </p>
      )}
      {role !== 'viewer' && isSet && (
        <form
          class="filters"
          aria-label="Send a test event"
          onSubmit={(event) => {
            event.preventDefault()
            void act(sendTest(event.target as HTMLFormElement))
          }}
        >
          <label class="field">
            Test event
            <select name="type">
              {EVENT_TYPES.map((type) => (
                <option key={type} selected={type === 'webhook.test'}>
                  {type}
                </option>
              ))}
            </select>
          </label>
          <button class="button">Send</button>
        </form>
      )}
      {role === 'admin' && (
        <Secret act={act} newSecrets={newSecrets} isRotated={previous_secret_until !== null} />
      )}
    </section>
  )
}

/** `isRotated`: the secret before the present one still works. */
function Secret({ act, newSecrets, isRotated }: Pick<Props, 'act' | 'newSecrets'> & { isRotated: boolean }) {
  const secret = newSecrets.shown.webhook_secret
  const rotate = (event: SubmitEvent) => {
    event.preventDefault()
    const graceDays = Number(new FormData(event.target as HTMLFormElement).get('grace_days'))
    void act(async () => {
      const question =
        graceDays === 0
          ? {
              title: 'Rotate the webhook secret without a grace period?',
              text: 'The present secret ends at once. Your server refuses events until it has the new one.',
            }
          : isRotated && {
              title: 'Rotate the webhook secret again?',
              text: 'The secret before the present one ends at once. Your server must have the present one.',
            }
      const isAsked = question && !newSecrets.isRepeated('webhook_secret', graceDays)
      if (isAsked && !(await ask({ ...question, act: 'Rotate the secret' }))) return undefined
      await newSecrets.rotate('webhook_secret', graceDays, async (headers) => {
        const { body } = await api('rotateOwnWebhookSecret', { body: { grace_days: graceDays }, headers })
        return body.webhook_secret
      })
      return 'The webhook secret is rotated.'
    })
  }
  return (
    <>
      <form class="filters" aria-label="Rotate the webhook secret" onSubmit={rotate}>
        <label class="field">
          Keep the old webhook secret valid for
          <select name="grace_days">
            {Object.entries(GRACES).map(([days, text]) => (
              <option key={days} value={days} selected={days === '7'}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button class="button">Rotate the secret</button>
      </form>
      {secret && (
        <NewSecret name="webhook secret" secret={secret} hide={() => newSecrets.hide('webhook_secret')} />
      )}
    </>
  )
}
