import { logo } from '@tiwala/ui/logo'
import { useEffect } from 'preact/hooks'
import { Controls, leaveLink, linkedTool } from './controls/controls.tsx'
import { arrivedCode } from './desk/arrived-code.ts'
import { Desk } from './desk/desk.tsx'
import { useAsk } from './desk/use-ask.ts'
import { isReachable } from './http/exchanges.ts'
import { Button } from './parts/button.tsx'
import { ErrorBox } from './parts/error-box.tsx'
import { aboutInWords } from './parts/words.ts'
import { isAsked } from './phone/consents.ts'
import { Phone } from './phone/phone.tsx'
import { scannedCode } from './phone/scanned-code.ts'
import { beginFirstSandbox, checkSandbox, startOver } from './state/begin.ts'
import { useStore } from './state/create-store.ts'
import { isEnded, isKept, saved } from './state/sandbox.ts'
import { useAction } from './state/use-action.ts'
import { useKept } from './state/use-kept.ts'
import { useNow } from './state/use-now.ts'
import { Guide } from './timeline/guide.tsx'
import { Timeline } from './timeline/timeline.tsx'

const PARTS = { phone: 'Phone', timeline: 'Timeline', desk: 'Desk', controls: 'Controls' } as const
type Part = keyof typeof PARTS

export function App() {
  const own = useStore(saved)
  const hasEnded = useStore(isEnded)
  const { isBusy, error, run, retry, clear } = useAction()
  useEffect(() => {
    if (own) void checkSandbox()
    else run(beginFirstSandbox)
  }, [])
  // A sandbox that another tab has made meanwhile is as good.
  useEffect(clear, [own?.sandbox.sandbox_id])
  const over = () => run(startOver)
  return (
    <>
      <header class="masthead">
        <div>
          <span class="symbol" dangerouslySetInnerHTML={{ __html: logo }} />
          {/* With more links, the first act would be more than three presses of Tab away. */}
          <nav aria-label="Tiwala">
            <a href="/docs">Docs</a>
          </nav>
        </div>
      </header>
      <div class="page">
        <h1>Sandbox</h1>
        <p class="intro">
          Both sides of one hotel check-in. The requests are real, the citizens are synthetic.
        </p>
        {own && !isKept() && <NotKept />}
        <Unreachable />
        {own && hasEnded && <Ended startOver={over} isBusy={isBusy} />}
        {!own && (
          <main>
            <p>{error ? 'There is no sandbox for you yet.' : 'Making a sandbox for you ...'}</p>
          </main>
        )}
        <ErrorBox error={error} retry={retry} />
        {/* Nothing of an ended sandbox works: nothing is shown, asked or followed any more. */}
        {own && !hasEnded && (
          <>
            {/* With another sandbox every part begins again. */}
            <Stage key={own.sandbox.sandbox_id} />
            <Status endsAt={own.sandbox.expires_at} startOver={over} isBusy={isBusy} />
          </>
        )}
      </div>
    </>
  )
}

/** The phone, the timeline and the desk, and below them the controls. A narrow page shows one at a time. */
function Stage() {
  const arrived = useStore(arrivedCode)
  const [part, setPart] = useKept<Part>('part', PARTS, 'phone')
  const asking = useAsk()
  useEffect(() => {
    if (arrived) setPart('desk')
  }, [arrived])
  const scanned = useStore(scannedCode)
  useEffect(() => {
    if (scanned) setPart('phone')
  }, [scanned])
  const choose = (to: Part) => {
    if (to !== 'controls') leaveLink()
    setPart(to)
  }
  const lead = (to: Part) => {
    choose(to)
    const region = document.querySelector(`.${to}`)
    requestAnimationFrame(() => region?.scrollIntoView({ block: 'nearest' }))
  }
  useEffect(() => {
    if (linkedTool()) lead('controls')
  }, [])
  return (
    <>
      <Guide asking={asking} part={part} onShow={lead} />
      <PartChoice part={part} onChange={choose} />
      <main class={`parts show-${part}`}>
        <div class="sides">
          <Phone />
          <Timeline />
          <Desk asking={asking} />
        </div>
        <Controls />
      </main>
    </>
  )
}

/** A mark at the phone shows that a request waits there. */
function PartChoice({ part, onChange }: { part: Part; onChange: (part: Part) => void }) {
  const asked = useStore(isAsked)
  return (
    <nav class="part-choice" aria-label="Parts of the page">
      {(Object.keys(PARTS) as Part[]).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === part}
          title={name === 'phone' && asked ? 'A request waits' : undefined}
          onClick={() => onChange(name)}
        >
          {PARTS[name]}
          {name === 'phone' && asked && <span class="mark" aria-hidden="true" />}
        </button>
      ))}
    </nav>
  )
}

const STATUS_REFRESH_MS = 60_000

type StartOver = { startOver: () => void; isBusy: boolean }

function Status({ endsAt, startOver: over, isBusy }: StartOver & { endsAt: string }) {
  const seconds = (Date.parse(endsAt) - useNow(STATUS_REFRESH_MS)) / 1000
  return (
    <footer class="sandbox-status">
      This sandbox is yours alone, for another {aboutInWords(seconds)}.
      <Button class="compact" isOff={isBusy} onClick={over}>
        Start over with a new one
      </Button>
    </footer>
  )
}

function NotKept() {
  return (
    <p class="notice warn">
      <strong>Your browser stores nothing for this page.</strong> Your sandbox ends for you when you reload or
      leave the page. Allow this site to store data, or keep the page open.
    </p>
  )
}

function Unreachable() {
  if (useStore(isReachable)) return null
  return (
    <p class="notice bad" role="alert">
      <strong>The service does not answer.</strong> If you stopped it, start it again: <code>npm start</code>.
      This page continues by itself.
    </p>
  )
}

function Ended({ startOver: over, isBusy }: StartOver) {
  return (
    <p class="notice bad row" role="alert">
      <strong>This sandbox has ended.</strong>
      <Button class="primary compact" isOff={isBusy} onClick={over}>
        Make a new one
      </Button>
    </p>
  )
}
