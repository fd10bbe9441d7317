import { MAX_ADVANCE_SECONDS } from '@tiwala/server/sandbox-bootstrap'
import { withLock } from '@tiwala/ui/with-lock'
import { useEffect, useRef, useState } from 'preact/hooks'
import { recordedFetch } from '../http/exchanges.ts'
import { Button } from '../parts/button.tsx'
import { Diagnose, ErrorBox, ExpiredSecrets, NewSandbox } from '../parts/error-box.tsx'
import { pretty, Snippet } from '../parts/snippet.tsx'
import { PROVOCATIONS, type Provocation, UNPROVOKED } from '../provoke/provocations.ts'
import { createRawClient } from '../provoke/raw-client.ts'
import { advancedSeconds, clockMoved } from '../state/begin.ts'
import { useStore } from '../state/create-store.ts'
import { citizenOf, save, saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { sendFromOtherOrigin } from './send-from-other-origin.ts'

/** Each error code of the partner API, with a real request that gets it. */
export function Errors() {
  const act = useAction()
  const left = MAX_ADVANCE_SECONDS - useStore(advancedSeconds)
  const [last, setLast] = useState<Last>()
  const [text, setText] = useState(linkedError)
  const isTooFar = ({ movesClockBy = 0 }: Provocation) => movesClockBy > left
  // One at a time, in all tabs: each needs the partner and the clock for itself.
  const provoke = (code: string, provocation: Provocation) =>
    act.run(async () => {
      setLast({ code })
      const outcome = await withLock('tiwala-sandbox-provoke', () => runProvocation(provocation))
      setLast({ code, outcome })
    })
  const wanted = text.trim().toLowerCase()
  const fits = ([code, how]: [string, string]) => `${code} ${how}`.toLowerCase().includes(wanted)
  const shown = SCENARIOS.filter(fits)
  return (
    <>
      <label class="field search">
        Find an error{' '}
        <input
          type="search"
          value={text}
          autocomplete="off"
          spellcheck={false}
          placeholder="token, expired, limit …"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <p class="small soft">
        Each button sends real requests with your credentials until the service refuses one.
      </p>
      {shown.length === 0 && <p class="empty">No error fits.</p>}
      <ul class="rows scenarios">
        {shown.map(([code, how]) => {
          const provocation = PROVOCATIONS[code as keyof typeof PROVOCATIONS]
          return (
            <li key={code}>
              <p class="scenario">
                <CodeLink code={code} />
                <span class="small">{how}</span>
                {provocation && (
                  <Button
                    class="compact"
                    isOff={act.isBusy || isTooFar(provocation)}
                    onClick={() => provoke(code, provocation)}
                    aria-label={`Provoke ${code}`}
                  >
                    Provoke
                  </Button>
                )}
              </p>
              {provocation && isTooFar(provocation) && (
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
          )
        })}
      </ul>
    </>
  )
}

/** Each error code, with what is done for it. */
const SCENARIOS: [string, string][] = [
  ...Object.entries(PROVOCATIONS).map(([code, { how }]): [string, string] => [code, how]),
  ...Object.entries(UNPROVOKED),
]

/** A link such as `/sandbox/#errors/token_used` shares one. */
const linkedError = () => /^#errors\/(\w+)$/.exec(location.hash)?.[1] ?? ''

const CodeLink = ({ code }: { code: string }) => (
  <a href={`/errors/${code}`} target="_blank" rel="noreferrer">
    {code}
  </a>
)

/** `code` and `requestId` are undefined if the service refused nothing. */
type Outcome = { status: number; code: string | undefined; requestId: string | undefined; body: string }
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
    const body = await response.text()
    const { error, request_id } = JSON.parse(body) as { error?: string; request_id?: string }
    return { status: response.status, code: error, requestId: request_id, body }
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
  const { status, code: answered, requestId, body } = outcome
  const answer = useRef<HTMLDivElement>(null)
  // The list is long, and the answer can be below what it shows.
  useEffect(() => answer.current?.scrollIntoView({ block: 'nearest' }), [outcome])
  return (
    <div class="scenario-answer" role="status" ref={answer}>
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
      <Snippet text={pretty(body)} />
      {requestId && <Diagnose key={requestId} requestId={requestId} />}
    </div>
  )
}
