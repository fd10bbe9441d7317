import type { Behavior } from '@tiwala/server/sandbox-bootstrap'
import { PartnerLogo } from '@tiwala/ui/consent-question'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { openRedirectUrl } from '../desk/arrived-code.ts'
import { phoneOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { Choice } from '../parts/choice.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Icon } from '../parts/icon.tsx'
import { useStore } from '../state/create-store.ts'
import { citizenOf, save, saved } from '../state/sandbox.ts'
import { useAction } from '../state/use-action.ts'
import { useKept } from '../state/use-kept.ts'
import { useSettled } from '../state/use-settled.ts'
import { ConsentCard } from './consent-card.tsx'
import { type Consent, isAsked, useConsents } from './consents.ts'
import { CreateCitizen } from './create-citizen.tsx'
import { HistoryView } from './history-view.tsx'
import { PrivacyView } from './privacy-view.tsx'
import { QrView } from './qr-view.tsx'
import { ScanSignIn } from './scan-sign-in.tsx'
import { scannedCode } from './scanned-code.ts'
import { SignInSheet } from './sign-in-sheet.tsx'
import { StatusBar } from './status-bar.tsx'
import './phone.css'

type View = 'code' | 'requests' | 'history' | 'privacy'
const tab = (icon: 'scan' | 'inbox' | 'clock' | 'shield', name: string) => (
  <>
    <Icon name={icon} />
    {name}
  </>
)
const VIEWS: Record<View, VNode> = {
  code: tab('scan', 'QR code'),
  requests: tab('inbox', 'Requests'),
  history: tab('clock', 'Who saw what'),
  privacy: tab('shield', 'Privacy'),
}

const BEHAVIORS: Record<Behavior, string> = {
  manual: 'you answer',
  accepts: 'accepts automatically',
  declines: 'declines automatically',
  ignores: 'never answers',
}

/** The citizen's side. */
export function Phone() {
  const own = useStore(saved)!
  const citizen = citizenOf(own)
  const { token } = citizen
  const [view, setView] = useKept<View>('phone', VIEWS, 'code')
  const [outcome, setOutcome] = useState<ComponentChildren>()
  /** The requests that were answered here. They leave the phone before the list is read again. */
  const [answered, setAnswered] = useState<string[]>([])
  // The phone of another citizen begins with its code.
  const shownCitizen = useRef(citizen.uniqid)
  useEffect(() => {
    if (shownCitizen.current !== citizen.uniqid) setView('code')
    shownCitizen.current = citizen.uniqid
  }, [citizen.uniqid])
  const consents = useConsents(token)
  const newest = consents && (consents[0]?.tracking_no ?? '')
  useEffect(() => setOutcome(undefined), [citizen.uniqid, newest])
  const pending =
    consents?.filter(({ state, tracking_no }) => state === 'PENDING' && !answered.includes(tracking_no)) ?? []
  const ended = consents?.filter(({ state }) => state !== 'PENDING') ?? []
  const scanned = useStore(scannedCode)
  const isSettled = useSettled(
    [scanned?.code, ...[...pending, ...ended].map(({ tracking_no }) => tracking_no)].join(),
  )
  const asks = pending.length > 0 || !!scanned
  const card = (consent: Consent) => (
    <ConsentCard
      key={consent.tracking_no}
      consent={consent}
      token={token}
      isSettled={isSettled}
      onDone={(words) => {
        setOutcome(words)
        setAnswered((before) => [...before, consent.tracking_no])
      }}
    />
  )
  useEffect(() => isAsked.set(asks), [asks])
  const choose = (uniqid: string) => save(own.sandbox, () => ({ citizen: uniqid }))
  return (
    <section class="part phone" aria-labelledby="phone-title">
      <h2 id="phone-title">The citizen's phone</h2>
      <label class="field holder">
        Citizen{' '}
        <select value={citizen.uniqid} onChange={(event) => choose(event.currentTarget.value)}>
          {own.sandbox.citizens.map(({ uniqid, name, behavior }) => (
            <option key={uniqid} value={uniqid}>
              {name} ({BEHAVIORS[behavior]})
            </option>
          ))}
        </select>
      </label>
      <CreateCitizen />
      <div class="device">
        <div class="screen">
          <StatusBar />
          <p class="app-title">
            {TITLES[view]}
            <span>{citizen.name}</span>
          </p>
          <div class="app">
            {/* The desk can scan the code while the visitor looks at another view. */}
            <div class="app-view" hidden={view !== 'code'}>
              <QrView citizen={citizen} newest={newest} key={citizen.uniqid} />
              <SignIn token={token} />
              <ScanSignIn />
            </div>
            {view === 'requests' && (
              <div class="app-view">
                {ended.length ? ended.map(card) : <p class="none">No partner has asked yet.</p>}
              </div>
            )}
            {view === 'history' && (
              <div class="app-view">
                <HistoryView token={token} />
              </div>
            )}
            {view === 'privacy' && (
              <div class="app-view">
                <PrivacyView token={token} key={citizen.uniqid} />
              </div>
            )}
          </div>
          {/* It gets the keyboard focus when an answered request leaves it. */}
          <div class={asks ? 'sheets up' : 'sheets'} aria-live="polite" tabIndex={-1}>
            {outcome && <p class="outcome">{outcome}</p>}
            <SignInSheet
              key={`${token} ${scanned?.code}`}
              token={token}
              isSettled={isSettled}
              onDone={setOutcome}
            />
            {pending.map(card)}
          </div>
          <Choice
            label="Views of the phone"
            class="tab-bar"
            options={VIEWS}
            value={view}
            onChange={(next) => {
              setOutcome(undefined)
              setView(next)
            }}
          />
        </div>
      </div>
    </section>
  )
}

const TITLES: Record<View, string> = {
  code: 'My code',
  requests: 'My answers',
  history: 'My profile was seen',
  privacy: 'My privacy',
}

/** The citizen opens the partner: its redirect URL, which is this page, gets an exchange code. */
function SignIn({ token }: { token: string }) {
  const { partner } = saved.get()!.sandbox
  const { isBusy, error, run, retry } = useAction()
  const open = () =>
    run(async () => {
      const { body } = await phoneOf(token)('issueExchangeCode', {
        body: { partner_code: partner.partner_code },
      })
      const { pathname, search } = new URL(body.redirect_url!)
      openRedirectUrl(pathname + search)
    })
  return (
    <>
      <p class="sign-in">
        <Button class="tile" isOff={isBusy} onClick={open}>
          <PartnerLogo name={partner.name} />
          Sign in to {partner.name}
        </Button>
      </p>
      <ErrorBox error={error} retry={retry} />
    </>
  )
}
