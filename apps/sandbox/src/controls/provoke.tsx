import { MAX_ADVANCE_SECONDS } from '@tiwala/server/sandbox-bootstrap'
import { useState } from 'preact/hooks'
import { recordedFetch } from '../http/exchanges.ts'
import { Button } from '../parts/button.tsx'
import { Diagnose, ErrorBox, ExpiredSecrets, NewSandbox } from '../parts/error-box.tsx'
import { PROVOCATIONS, type Provocation, UNPROVOKED } from '../provoke/provocations.ts'
import { createRawClient } from '../provoke/raw-client.ts'
import { advancedSeconds, clockMoved } from '../state/begin.ts'
import { useStore } from '../state/create-store.ts'
import { citizenOf, save, saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { withLock } from '../state/with-lock.ts'
import { sendFromOtherOrigin } from './send-from-other-origin.ts'

/** Each error code of the partner API, with a real request that gets it. */
export function Provoke() {
  const act = useAction()
  const left = MAX_ADVANCE_SECONDS - useStore(advancedSeconds)
  const [last, setLast] = useState<Last>()
  const isTooFar = ({ movesClockBy = 0 }: Provocation) => movesClockBy > left
  // One at a time, in all tabs: each needs the partner and the clock for itself.
  const provoke = (code: string, provocation: Provocation) =>
    act.run(async () => {
      setLast({ code })
      const outcome = await withLock('tiwala-sandbox-provoke', () => runProvocation(provocation))
      setLast({ code, outcome })
    })
  return (
    <details>
      <summary>Provoke each error</summary>
      <p class="small">
        Each button sends real requests with your credentials until the service refuses one.
      </p>
      <ul class="plain">
        {Object.entries(PROVOCATIONS).map(([code, provocation]) => (
          <li key={code} class="card">
            <p class="row">
              <CodeLink code={code} />
              <Button
                isOff={act.isBusy || isTooFar(provocation)}
                onClick={() => provoke(code, provocation)}
                aria-label={`Provoke ${code}`}
              >
                Provoke
              </Button>
            </p>
            <p class="small">{provocation.how}</p>
            {isTooFar(provocation) && (
              <>
                <p>Your clock is at its end, so it cannot be moved for this error.</p>
                <NewSandbox />
              </>
            )}
            {last?.code === code && (
              <>
                {last.outcome && <Answer code={code} outcome={last.outcome} />}
                <ErrorBox error={act.error} retry={act.retry} />
              </>
            )}
          </li>
        ))}
        {Object.entries(UNPROVOKED).map(([code, why]) => (
          <li key={code} class="card">
            <CodeLink code={code} /> <span class="small">{why}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const CodeLink = ({ code }: { code: string }) => (
  <a href={`/errors/${code}`} target="_blank" rel="noreferrer">
    {code}
  </a>
)

/** `code` and `requestId` are undefined if the service refused nothing. */
type Outcome = { status: number; code: string | undefined; requestId: string | undefined }
/** The row that was used last. */
type Last = { code: string; outcome?: Outcome }

async function runProvocation(provocation: Provocation): Promise<Outcome> {
  const { sandbox } = saved.get()!
  const client = createRawClient({
    baseUrl: location.origin,
    sandbox,
    citizenToken: citizenOf(saved.get()!).token,
    fetch: recordedFetch('controls'),
    sendFromOtherOrigin,
  })
  if (provocation.changesPartner) save(sandbox, () => ({ isChanged: true }))
  try {
    const response = await provocation.run(client)
    const body = (await response.json()) as { error?: string; request_id?: string }
    return { status: response.status, code: body.error, requestId: body.request_id }
  } finally {
    if (provocation.changesPartner) {
      await client.setCondition('normal')
      save(sandbox, () => ({ isChanged: false }))
    }
    await client.cancelPending()
    if (provocation.movesClockBy) clockMoved(sandbox, await client.readAdvance())
  }
}

function Answer({ code, outcome }: { code: string; outcome: Outcome }) {
  const { status, code: answered, requestId } = outcome
  return (
    <div role="status">
      <p>
        The service answered <strong>{status}</strong> {answered && <CodeLink code={answered} />}
      </p>
      {answered !== code && (
        <ExpiredSecrets
          code={answered}
          otherwise={
            <p>
              This is not <code>{code}</code>: a limit was reached first, or the state of this citizen does
              not allow it. Choose a citizen who answers by hand, or wait a minute.
            </p>
          }
        />
      )}
      {requestId && <Diagnose key={requestId} requestId={requestId} />}
    </div>
  )
}
