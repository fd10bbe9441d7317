import { useEffect, useRef, useState } from 'preact/hooks'
import { ssoOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { ExchangePanel } from '../parts/exchange-panel.tsx'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { arrivedCode } from './arrived-code.ts'
import { Ask } from './ask.tsx'
import { ProfileCard } from './profile-card.tsx'
import { RecordCard } from './record-card.tsx'

/** The partner's side. */
export function Desk() {
  const { sandbox, records } = useStore(saved)!
  const [newest, ...older] = records
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="part desk" aria-labelledby="desk-title">
      <h2 id="desk-title">The partner's desk</h2>
      <p class="small">{sandbox.partner.name}</p>
      <h3>A profile with consent</h3>
      <Ask />
      <div aria-live="polite">{newest && <RecordCard key={newest} trackingNo={newest} isNewest />}</div>
      {older.length > 0 && (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Earlier records</summary>
          {isOpen &&
            older.map((trackingNo) => (
              <RecordCard key={trackingNo} trackingNo={trackingNo} isNewest={false} />
            ))}
        </details>
      )}
      <h3>Single sign-on</h3>
      <ArrivedSignIn />
      <ExchangePanel side="desk" />
    </section>
  )
}

/** The exchange code that arrived at the redirect URL, and the profile that it gives. */
function ArrivedSignIn() {
  const { sandbox } = saved.get()!
  const arrived = useStore(arrivedCode)
  const [profile, setProfile] = useState<Record<string, unknown>>()
  const { isBusy, error, run, retry } = useAction()
  const arrival = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    setProfile(undefined)
    // A narrow page shows the desk first.
    requestAnimationFrame(() => arrival.current?.focus())
  }, [arrived])
  const exchange = () =>
    run(async () => {
      setProfile(await ssoOf(sandbox).signIn(arrived!.code))
    })
  if (!arrived) return <p>Press "Sign in" on the phone: the exchange code arrives here.</p>
  return (
    <>
      <p ref={arrival} tabIndex={-1}>
        The citizen app opened your redirect URL:
      </p>
      <p class="value">
        <code>{arrived.address}</code>
      </p>
      <p class="row">
        <Button class="main" isOff={isBusy} onClick={exchange}>
          Exchange the code for the profile
        </Button>
      </p>
      <div aria-live="polite">{profile && <ProfileCard profile={profile} />}</div>
      <ErrorBox error={error} hasDiagnosis retry={retry} />
    </>
  )
}
