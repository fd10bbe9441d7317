import type { Schemas } from '@tiwala/contract'
import { phoneOf } from '../http/clients.ts'
import { Button } from '../parts/button.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { useAction } from '../state/use-action.ts'
import { phoneChanges } from './consents.ts'

export type Consent = Schemas['ConsentRequest']
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
  const { tracking_no, tracking_no_last4, partner, state, shares, age_seconds } = consent
  const answer = (operation: Answer) =>
    run(async () => {
      await phoneOf(token)(operation, { path: { tracking_no } })
      onDone(`${OUTCOMES[operation]} the request that ends in ${tracking_no_last4}.`)
      phoneChanges.update((count) => count + 1)
    })
  const isPending = state === 'PENDING'
  return (
    <article class={isPending ? 'card asks' : 'card'} aria-label={`Request ${tracking_no_last4}`}>
      <p>
        <strong>{partner.name}</strong> {isPending ? 'asks for your profile' : <State state={state} />}
      </p>
      {isPending && (
        <>
          <p>{partner.purpose}</p>
          <p>
            The screen of the partner must show the number that ends in{' '}
            <strong class="last4">{tracking_no_last4}</strong>
          </p>
          <details>
            <summary>What it gets: {shares.length} fields</summary>
            <p class="small">{shares.join(', ')}</p>
          </details>
          <p class="row">
            <Button class="main" isOff={isOff} onClick={() => answer('acceptAuthorization')}>
              Accept
            </Button>
            <Button isOff={isOff} onClick={() => answer('declineAuthorization')}>
              Decline
            </Button>
          </p>
        </>
      )}
      {!isPending && (
        <p class="small">
          Number …{tracking_no_last4}, {ago(age_seconds)}{' '}
          {(state === 'ACCEPTED' || state === 'VIEWED') && (
            <Button class="plain" isOff={isOff} onClick={() => answer('revokeAuthorization')}>
              Revoke
            </Button>
          )}
        </p>
      )}
      <ErrorBox error={error} retry={retry} />
    </article>
  )
}

export const State = ({ state }: { state: string }) => <span class={`state ${state}`}>{state}</span>

export function ago(seconds: number): string {
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min ago`
  return seconds < 172_800
    ? `${Math.floor(seconds / 3_600)} h ago`
    : `${Math.floor(seconds / 86_400)} days ago`
}
