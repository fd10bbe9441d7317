import { callSandbox, pathOf } from '../http/clients.ts'
import { recordedFetch } from '../http/exchanges.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { advancedSeconds, clockMoved } from '../state/begin.ts'
import { saved } from '../state/sandbox.ts'
import { useStore } from '../state/store.ts'
import { useAct } from '../state/use-act.ts'

const STEPS: [string, number][] = [
  ['1 minute', 61],
  ['5 minutes', 301],
  ['1 hour', 3_601],
  ['1 day', 86_400],
  ['30 days', 30 * 86_400],
]

/** Moves the time of this sandbox only. */
export function Clock() {
  const { sandbox } = useStore(saved)!
  const advanced = useStore(advancedSeconds)
  const { isBusy, error, run, retry } = useAct()
  const move = (seconds: number) =>
    run(async () => {
      const path = pathOf(sandbox, 'clock')
      const body = { advance_seconds: seconds }
      const moved = await callSandbox<{ advanced_seconds: number }>(
        'POST',
        path,
        body,
        recordedFetch('controls'),
      )
      clockMoved(sandbox, moved.advanced_seconds)
    })
  return (
    <details open>
      <summary>My clock{advanced > 0 && `: ${inWords(advanced)} ahead`}</summary>
      <p class="small">
        Lets time pass for this sandbox only: codes, tokens, records and secrets get older. Other sandboxes do
        not change.
      </p>
      <p class="row" role="group" aria-label="Move my clock by">
        {STEPS.map(([name, seconds]) => (
          <button key={name} type="button" disabled={isBusy} onClick={() => move(seconds)}>
            + {name}
          </button>
        ))}
      </p>
      <ErrorBox error={error} retry={retry} />
    </details>
  )
}

function inWords(seconds: number): string {
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3_600)]
  const minutes = Math.floor((seconds % 3_600) / 60)
  return [
    days && `${days} d`,
    hours && `${hours} h`,
    minutes && `${minutes} min`,
    seconds < 60 && `${seconds} s`,
  ]
    .filter(Boolean)
    .join(' ')
}
