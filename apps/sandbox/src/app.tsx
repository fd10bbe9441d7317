import { useEffect, useState } from 'preact/hooks'
import { Controls } from './controls/controls.tsx'
import { arrivedCode } from './desk/arrived-code.ts'
import { Desk } from './desk/desk.tsx'
import { isReachable } from './http/exchanges.ts'
import { Button } from './parts/button.tsx'
import { ErrorBox } from './parts/error-box.tsx'
import { isAsked } from './phone/consents.ts'
import { Phone } from './phone/phone.tsx'
import { Requests } from './requests.tsx'
import { beginSandbox, checkSandbox, startOver } from './state/begin.ts'
import { useStore } from './state/create-store.ts'
import { isEnded, isKept, saved } from './state/sandbox.ts'
import { useAction } from './state/use-action.ts'

const PARTS = { phone: 'Phone', desk: 'Desk', controls: 'Controls', requests: 'Requests' } as const
type Part = keyof typeof PARTS

export function App() {
  const own = useStore(saved)
  const hasEnded = useStore(isEnded)
  const { isBusy, error, run, retry, clear } = useAction()
  const [part, setPart] = useState<Part>(arrivedCode.get() ? 'desk' : 'phone')
  const arrived = useStore(arrivedCode)
  useEffect(() => {
    if (arrived) setPart('desk')
  }, [arrived])
  useEffect(() => {
    if (own) void checkSandbox()
    else run(beginSandbox)
  }, [])
  // A sandbox that another tab has made meanwhile is as good.
  useEffect(clear, [own?.sandbox.sandbox_id])
  const over = () => run(startOver)
  return (
    <>
      <header>
        <h1>
          <a href="/">Tiwala</a> sandbox
        </h1>
        <p class="lead">
          Both sides on one page: the phone of a citizen, and the desk of a partner. All citizens are
          synthetic. <a href="/docs">Documentation</a>
        </p>
        {own && !hasEnded && <Status endsAt={own.sandbox.expires_at} startOver={over} isBusy={isBusy} />}
      </header>
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
          <Parts part={part} onChange={setPart} />
          {/* With another sandbox every part begins again. */}
          <main class={`parts show-${part}`} key={own.sandbox.sandbox_id}>
            <div>
              <Phone />
              <Controls />
            </div>
            <div>
              <Desk />
              <Requests />
            </div>
          </main>
        </>
      )}
    </>
  )
}

/** A mark at the phone shows that a request waits there. */
function Parts({ part, onChange }: { part: Part; onChange: (part: Part) => void }) {
  const asked = useStore(isAsked)
  return (
    <nav aria-label="Parts of the page">
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

type StartOver = { startOver: () => void; isBusy: boolean }

function Status({ endsAt, startOver: over, isBusy }: StartOver & { endsAt: string }) {
  return (
    <p class="status">
      This sandbox is yours alone, until {new Date(endsAt).toLocaleString()}.{' '}
      <Button class="plain" isOff={isBusy} onClick={over}>
        Start over with a new one
      </Button>
    </p>
  )
}

function NotKept() {
  return (
    <p class="banner">
      <strong>Your browser stores nothing for this page.</strong> Your sandbox ends for you when you reload or
      leave the page. Allow this site to store data, or keep the page open.
    </p>
  )
}

function Unreachable() {
  if (useStore(isReachable)) return null
  return (
    <p class="banner" role="alert">
      <strong>The service does not answer.</strong> If you stopped it, start it again: <code>npm start</code>.
      This page continues by itself.
    </p>
  )
}

function Ended({ startOver: over, isBusy }: StartOver) {
  return (
    <p class="banner" role="alert">
      <strong>This sandbox has ended.</strong>{' '}
      <Button isOff={isBusy} onClick={over}>
        Make a new one
      </Button>
    </p>
  )
}
