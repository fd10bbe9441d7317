import { useEffect, useState } from 'preact/hooks'
import { Controls } from './controls/controls.tsx'
import { arrivedCode } from './desk/arrived-code.ts'
import { Desk } from './desk/desk.tsx'
import { isReachable } from './http/exchanges.ts'
import { ErrorBox } from './parts/error-box.tsx'
import { Phone } from './phone/phone.tsx'
import { Requests } from './requests.tsx'
import { beginSandbox, checkSandbox, isEnded, startOver } from './state/begin.ts'
import { saved } from './state/sandbox.ts'
import { useStore } from './state/store.ts'

const PARTS = { phone: 'Phone', desk: 'Desk', controls: 'Controls', requests: 'Requests' } as const
type Part = keyof typeof PARTS

export function App() {
  const own = useStore(saved)
  const [error, setError] = useState<unknown>()
  const [part, setPart] = useState<Part>(arrivedCode.get() ? 'desk' : 'phone')
  const begin = () => {
    setError(undefined)
    beginSandbox().catch(setError)
  }
  useEffect(() => {
    if (own) void checkSandbox()
    else begin()
  }, [])
  const over = () => void startOver().catch(setError)
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
        {own && <Status endsAt={own.sandbox.expires_at} startOver={over} />}
      </header>
      <Unreachable />
      <Ended startOver={over} />
      {!own && (
        <main>
          <p>{error ? 'There is no sandbox for you yet.' : 'Making a sandbox for you ...'}</p>
          <ErrorBox error={error} retry={begin} />
        </main>
      )}
      {own && (
        <>
          <ErrorBox error={error} retry={over} />
          <nav aria-label="Parts of the page">
            {(Object.keys(PARTS) as Part[]).map((name) => (
              <button key={name} type="button" aria-pressed={name === part} onClick={() => setPart(name)}>
                {PARTS[name]}
              </button>
            ))}
          </nav>
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

function Status({ endsAt, startOver: over }: { endsAt: string; startOver: () => void }) {
  return (
    <p class="status">
      This sandbox is yours alone, until {new Date(endsAt).toLocaleString()}.{' '}
      <button type="button" class="plain" onClick={over}>
        Start over with a new one
      </button>
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

function Ended({ startOver: over }: { startOver: () => void }) {
  if (!useStore(isEnded)) return null
  return (
    <p class="banner" role="alert">
      <strong>This sandbox has ended.</strong> A sandbox lives for a day.{' '}
      <button type="button" onClick={over}>
        Make a new one
      </button>
    </p>
  )
}
