import { useState } from 'preact/hooks'
import { recordedFetch } from '../http/exchanges.ts'
import { Diagnose, ErrorBox } from '../parts/error-box.tsx'
import { createLab } from '../provoke/lab.ts'
import { PROVOCATIONS, type Provocation, UNPROVOKED } from '../provoke/provocations.ts'
import { clockMoved } from '../state/begin.ts'
import { citizenOf, save, saved } from '../state/sandbox.ts'
import { useAct } from '../state/use-act.ts'
import { sendFromOtherOrigin } from './send-from-other-origin.ts'

/** Each error code of the partner API, with a real request that gets it. */
export function Provoke() {
  return (
    <details>
      <summary>Provoke each error</summary>
      <p class="small">
        Each button sends real requests with your credentials until the service refuses one.
      </p>
      <ul class="plain">
        {Object.entries(PROVOCATIONS).map(([code, provocation]) => (
          <ProvokeRow key={code} code={code} provocation={provocation} />
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

type Outcome = { status: number; code: string; requestId: string }

function ProvokeRow({ code, provocation }: { code: string; provocation: Provocation }) {
  const [outcome, setOutcome] = useState<Outcome>()
  const { isBusy, error, run, retry } = useAct()
  const provoke = () =>
    run(async () => {
      setOutcome(undefined)
      const { sandbox } = saved.get()!
      const lab = createLab({
        baseUrl: location.origin,
        sandbox,
        citizenToken: citizenOf(saved.get()!).token,
        fetch: recordedFetch('controls'),
        sendFromOtherOrigin,
      })
      if (provocation.changesPartner) save({ isChanged: true })
      try {
        const response = await provocation.run(lab)
        const body = (await response.json()) as { error: string; request_id: string }
        setOutcome({ status: response.status, code: body.error, requestId: body.request_id })
      } finally {
        if (provocation.changesPartner) {
          await lab.setCondition('normal')
          save({ isChanged: false })
        }
        if (provocation.movesClock) clockMoved(await lab.readAdvance())
      }
    })
  return (
    <li class="card">
      <p class="row">
        <CodeLink code={code} />
        <button type="button" disabled={isBusy} onClick={provoke} aria-label={`Provoke ${code}`}>
          Provoke
        </button>
      </p>
      <p class="small">{provocation.how}</p>
      {outcome && (
        <div role="status">
          <p>
            The service answered <strong>{outcome.status}</strong> <CodeLink code={outcome.code} />
          </p>
          <Diagnose key={outcome.requestId} requestId={outcome.requestId} />
        </div>
      )}
      <ErrorBox error={error} retry={retry} />
    </li>
  )
}
