import { ConsentQuestion, Items, PartnerLogo } from '@tiwala/ui/consent-question'
import { phoneOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Fold } from '../parts/fold.tsx'
import { agoInWords } from '../parts/words.ts'
import { useAction } from '../state/use-action.ts'
import { useNow } from '../state/use-now.ts'
import { type Consent, phoneChanges } from './consents.ts'

const REFRESH_MS = 5_000
const OUTCOMES = {
  acceptAuthorization: 'You accepted',
  declineAuthorization: 'You declined',
  revokeAuthorization: 'You revoked',
}
type Answer = keyof typeof OUTCOMES

/** A request on the phone, with what the citizen can do about it. */
export function ConsentCard({
  consent,
  token,
  isSettled,
  onDone,
}: {
  consent: Consent
  token: string
  /** Whether its place has been the same long enough for an answer. */
  isSettled: boolean
  /** Gets what the citizen has done, in words. */
  onDone: (outcome: string) => void
}) {
  const { isBusy, error, run, retry } = useAction()
  const isOff = isBusy || !isSettled
  const { tracking_no, tracking_no_last4, partner, state, shares } = consent
  const answer = (operation: Answer) =>
    run(async () => {
      await phoneOf(token)(operation, { path: { tracking_no } })
      onDone(`${OUTCOMES[operation]} the request that ends in ${tracking_no_last4}.`)
      phoneChanges.update((count) => count + 1)
    })
  const isPending = state === 'PENDING'
  return (
    <article class={isPending ? 'asks' : 'app-card'} aria-label={`Request ${tracking_no_last4}`}>
      {!isPending && (
        <header>
          <PartnerLogo name={partner.name} />
          <p>
            <strong>{partner.name}</strong> <State state={state} />
          </p>
        </header>
      )}
      {isPending && (
        <>
          <ConsentQuestion partner={partner} asks="asks for your profile">
            It asked <Age of={consent} />. The screen of the partner must show the number that ends in{' '}
            <strong class="last4">{tracking_no_last4}</strong>
          </ConsentQuestion>
          <Fold summary={`What it gets: ${shares.length} items`} isOpen>
            <Items items={shares} />
          </Fold>
          <p class="answers">
            <Button isOff={isOff} onClick={() => answer('declineAuthorization')}>
              Decline
            </Button>
            <Button class="primary" isOff={isOff} onClick={() => answer('acceptAuthorization')}>
              Accept
            </Button>
          </p>
        </>
      )}
      {!isPending && (
        <p class="small">
          Number …{tracking_no_last4}, <Age of={consent} />{' '}
          {(state === 'ACCEPTED' || state === 'VIEWED') && (
            <Button class="compact" isOff={isOff} onClick={() => answer('revokeAuthorization')}>
              Revoke
            </Button>
          )}
        </p>
      )}
      <ErrorBox error={error} retry={retry} />
    </article>
  )
}

/** The requests are in a live region, which would announce each change of this time. */
function Age({ of: { age_seconds, readAtMs } }: { of: Consent }) {
  const elapsedMs = useNow(REFRESH_MS) - readAtMs
  return <span aria-live="off">{agoInWords(age_seconds + elapsedMs / 1000)}</span>
}

const TONES: Record<string, string> = { ACCEPTED: 'good', VIEWED: 'good', DELIVERED: 'good', PENDING: 'info' }

export const State = ({ state }: { state: string }) => (
  <span class={`badge state ${TONES[state] ?? 'bad'}`}>{state}</span>
)
