import { PartnerLogo } from '@tiwala/ui/consent-question'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ssoOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Fold } from '../parts/fold.tsx'
import { Icon } from '../parts/icon.tsx'
import { useStore } from '../state/create-store.ts'
import { saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { arrivedCode } from './arrived-code.ts'
import { Ask } from './ask.tsx'
import { ProfileCard } from './profile-card.tsx'
import { RecordCard } from './record-card.tsx'
import { recordStates } from './record-states.ts'
import type { Asking } from './use-ask.ts'
import './desk.css'

/** The partner's side: the screen of a hotel's front desk. What has changed last is at the top. */
export function Desk({ asking }: { asking: Asking }) {
  const { sandbox, records } = useStore(saved)!
  const [newest, ...older] = records
  const states = useStore(recordStates)
  const arrived = useStore(arrivedCode)
  const isSignInLast = useIsLast(arrived, newest)
  const checkIn = (
    <div key="check-in">
      <div aria-live="polite">{newest && <RecordCard key={newest} trackingNo={newest} isNewest />}</div>
      {older.length > 0 && (
        <Fold summary="Earlier records">
          {older.map((trackingNo) => (
            <RecordCard key={trackingNo} trackingNo={trackingNo} isNewest={false} />
          ))}
        </Fold>
      )}
    </div>
  )
  const signIn = <ArrivedSignIn key="sign-in" />
  return (
    <section class="part desk" aria-labelledby="desk-title">
      <h2 id="desk-title">The partner's desk</h2>
      <div class="desk-screen">
        <header class="desk-bar">
          <PartnerLogo name={sandbox.partner.name} />
          <p>
            <strong>{sandbox.partner.name}</strong>
            <span>Front desk · Check-in</span>
          </p>
        </header>
        <div class="desk-content">
          <Ask asking={asking} isPending={!!newest && states[newest] === 'PENDING'} />
          {isSignInLast ? [signIn, checkIn] : [checkIn, signIn]}
        </div>
      </div>
    </section>
  )
}

/** Whether the sign-in is newer than the newest record. */
function useIsLast(arrived: unknown, newest: string | undefined): boolean {
  const [isLast, setLast] = useState(!!arrived)
  const known = useRef(newest)
  useEffect(() => {
    if (known.current !== newest) setLast(false)
    known.current = newest
  }, [newest])
  useEffect(() => setLast(!!arrived), [arrived])
  return isLast
}

/** The exchange code that arrived at the redirect URL, and the profile that it gives. */
function ArrivedSignIn(): VNode {
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
  if (!arrived)
    return (
      <p class="sign-in-hint">
        <Icon name="key" /> Single sign-on: press "Sign in" on the phone: the exchange code arrives here.
      </p>
    )
  return (
    <article class="desk-card arrived" aria-label="Sign-in">
      <h3>Single sign-on</h3>
      <p ref={arrival} tabIndex={-1}>
        The citizen app opened your redirect URL:
      </p>
      <p class="value">
        <code>{arrived.address}</code>
      </p>
      <p class="row">
        <Button class={profile ? 'compact' : 'desk-button'} isOff={isBusy} onClick={exchange}>
          Exchange the code for the profile
        </Button>
      </p>
      <div aria-live="polite">{profile && <ProfileCard profile={profile} />}</div>
      <ErrorBox error={error} hasDiagnosis retry={retry} />
    </article>
  )
}
