import type { BootstrapCitizen } from '@tiwala/server/sandbox-bootstrap'
import { arrivedCode } from '../desk/arrived-code.ts'
import { recordStates } from '../desk/record-states.ts'
import type { Asking } from '../desk/use-ask.ts'
import { exchanges } from '../http/exchanges.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { scannedCode } from '../phone/scanned-code.ts'
import { useStore } from '../state/create-store.ts'
import { askedCitizenOf, citizenOf, save, saved } from '../state/sandbox.ts'
import { signInStory } from './story.ts'

/** Says what to do next, and does it: the first act of the page. */
export function Guide({
  asking,
  part,
  onShow,
}: {
  asking: Asking
  /** The part that a narrow page shows. */
  part: string
  /** Leads the visitor to a part of the page. */
  onShow: (part: 'phone' | 'desk') => void
}) {
  const own = useStore(saved)!
  const [trackingNo] = own.records
  const states = useStore(recordStates)
  const state = trackingNo && states[trackingNo]
  const citizen = citizenOf(own)
  const asked = askedCitizenOf(own)
  const firstName = firstNameOf(citizen)
  const scan = () => {
    asking.scan?.()
    onShow('desk')
  }
  const arrived = useStore(arrivedCode)
  const list = useStore(exchanges)
  const isSigningIn = !!arrived && signInStory(list, arrived.code).some(({ status }) => status === 'now')
  const isScanned = !!useStore(scannedCode)
  const isPending = state === 'PENDING'
  const hasFailed = !!asking.error && !isPending && !isScanned && !isSigningIn
  const isGiven = !hasFailed && (state === 'ACCEPTED' || state === 'VIEWED')
  const isPhoneNeeded = isPending && asked.behavior === 'manual'
  const isOtherPhone = !isScanned && isPhoneNeeded && asked.uniqid !== citizen.uniqid
  const choose = () => {
    save(own.sandbox, () => ({ citizen: asked.uniqid }))
    onShow('phone')
  }
  return (
    <section class="guide" aria-label="Next step">
      <span class={`guide-mark ${hasFailed ? 'bad' : isGiven && !isSigningIn ? 'good' : 'info'}`}>
        <Icon name={isScanned || isSigningIn ? 'key' : isGiven ? 'check' : isPending ? 'phone' : 'scan'} />
      </span>
      <p key={`${trackingNo} ${state} ${isSigningIn} ${isScanned} ${isOtherPhone} ${hasFailed}`}>
        {isScanned ? (
          <>
            <strong>{firstName}'s phone asks about a sign-in.</strong> Compare the two characters, then
            approve or decline.
          </>
        ) : isSigningIn ? (
          <>
            <strong>{firstName} signs in at your website.</strong> Exchange the code for the profile, at the
            desk.
          </>
        ) : isPending ? (
          asked.behavior === 'manual' ? (
            <>
              <strong>{firstNameOf(asked)}'s phone asks.</strong>{' '}
              {isOtherPhone
                ? `You see the phone of ${firstName}.`
                : 'Compare the last four characters, then accept or decline.'}
            </>
          ) : (
            <>
              <strong>The request is on its way.</strong> {BEHAVIORS[asked.behavior]}
            </>
          )
        ) : hasFailed ? (
          <>
            <strong>The last request failed.</strong> The desk says why. Scan the next code.
          </>
        ) : isGiven ? (
          <>
            <strong>The desk has the profile.</strong> Open a step to see its request, or scan the next code.
          </>
        ) : state ? (
          <>
            <strong>No profile this time.</strong> The record is {state}. Scan the next code.
          </>
        ) : (
          <>
            <strong>{firstName} shows a code.</strong> You are the hotel: scan it, and ask for the profile.
          </>
        )}
      </p>
      {(isGiven || hasFailed) && !isScanned && part !== 'desk' && (
        <Button class="primary narrow-only" onClick={() => onShow('desk')}>
          {hasFailed ? 'See why' : 'See the profile'}
        </Button>
      )}
      {isOtherPhone ? (
        <Button class="primary" onClick={choose}>
          Choose {firstNameOf(asked)}'s phone to answer
        </Button>
      ) : isScanned || isPhoneNeeded ? (
        part === 'phone' || (
          <Button class="primary narrow-only" onClick={() => onShow('phone')}>
            Look at the phone
          </Button>
        )
      ) : (
        <Button
          class={isGiven ? '' : 'primary scan-act'}
          isOff={asking.isBusy || !asking.scan}
          onClick={scan}
        >
          Scan the code
        </Button>
      )}
    </section>
  )
}

const firstNameOf = ({ name }: BootstrapCitizen) => name.split(' ')[0]

const BEHAVIORS = {
  accepts: 'This citizen accepts by itself.',
  declines: 'This citizen declines by itself.',
  ignores: 'This citizen never answers: move the clock, or cancel.',
}
