import { MAX_ADVANCE_SECONDS } from '@tiwala/server/sandbox-bootstrap'
import { TiwalaError } from '@tiwala/transport'
import { callSandbox, MAX_MOVE_MS, pathOf } from '../http/clients.ts'
import { recordedFetch } from '../http/exchanges.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox, NewSandbox } from '../parts/error-box.tsx'
import { Icon } from '../parts/icon.tsx'
import { durationInWords } from '../parts/words.ts'
import { advancedSeconds, clockMoved } from '../state/begin.ts'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'

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
  const { isBusy, error, run, retry } = useAction()
  const left = MAX_ADVANCE_SECONDS - advanced
  const move = (seconds: number) => {
    /** A request without a clear response has moved the clock, if it has come this far. */
    let wanted = Infinity
    const readClock = async () => {
      const now = await callSandbox<{ advanced_seconds: number }>('GET', pathOf(sandbox))
      clockMoved(sandbox, now.advanced_seconds)
      return now.advanced_seconds
    }
    run(async () => {
      // Also before the first try: another tab or a program may have moved the clock meanwhile.
      const before = await readClock()
      if (before >= wanted) return
      try {
        const moved = await callSandbox<{ advanced_seconds: number }>(
          'POST',
          pathOf(sandbox, 'clock'),
          { advance_seconds: seconds },
          recordedFetch('controls'),
          MAX_MOVE_MS,
        )
        clockMoved(sandbox, moved.advanced_seconds)
      } catch (thrown) {
        // Only the service refuses with 4xx. A proxy can give up while the service moves the clock.
        const isRefused = thrown instanceof TiwalaError && thrown.status >= 400 && thrown.status < 500
        wanted = isRefused ? Infinity : before + seconds
        // Also after a refusal: the clock may be too far for this step by now.
        const after = await readClock().catch(() => {
          throw thrown
        })
        if (after < wanted) throw thrown
      }
    })
  }
  return (
    <div class="clock" tabIndex={-1}>
      <Icon name="clock" />
      <p class="clock-text">
        <strong>My clock{advanced > 0 && `: ${durationInWords(advanced)} ahead`}</strong>
        <span>Lets codes, tokens, records and secrets of this sandbox get older.</span>
      </p>
      <p class="clock-steps" role="group" aria-label="Move my clock by">
        {STEPS.map(([name, seconds]) => (
          <Button class="compact" key={name} isOff={isBusy || seconds > left} onClick={() => move(seconds)}>
            + {name}
          </Button>
        ))}
      </p>
      <EndOfClock left={left} />
      {left >= STEPS[0]![1] && <ErrorBox error={error} retry={retry} />}
    </div>
  )
}

/** Says how far the clock can still be moved, as soon as a step is too long. */
function EndOfClock({ left }: { left: number }) {
  if (left >= STEPS.at(-1)![1]) return null
  const isAtEnd = left < STEPS[0]![1]
  return (
    <div class="clock-end" role="status">
      <p>
        A clock can be moved by {durationInWords(MAX_ADVANCE_SECONDS)} in all:{' '}
        {isAtEnd
          ? 'yours is at its end. To move it again, make a new sandbox.'
          : `${durationInWords(left)} are left.`}
      </p>
      {isAtEnd && <NewSandbox />}
    </div>
  )
}
