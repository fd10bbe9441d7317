import type { Schemas } from '@tiwala/contract'
import { phoneOf } from '../http/clients.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { useAct } from '../state/use-act.ts'
import { phoneChanges } from './consents.ts'

type Consent = Schemas['ConsentRequest']
type Answer = 'acceptAuthorization' | 'declineAuthorization' | 'revokeAuthorization'

/** A request on the phone, with what the citizen can do about it. */
export function ConsentCard({ consent, token }: { consent: Consent; token: string }) {
  const { isBusy, error, run, retry } = useAct()
  const { tracking_no, tracking_no_last4, partner, state, shares, age_seconds } = consent
  const answer = (operation: Answer) =>
    run(async () => {
      await phoneOf(token)(operation, { path: { tracking_no } })
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
            <button
              type="button"
              class="main"
              disabled={isBusy}
              onClick={() => answer('acceptAuthorization')}
            >
              Accept
            </button>
            <button type="button" disabled={isBusy} onClick={() => answer('declineAuthorization')}>
              Decline
            </button>
          </p>
        </>
      )}
      {!isPending && (
        <p class="small">
          Number …{tracking_no_last4}, {ago(age_seconds)}{' '}
          {(state === 'ACCEPTED' || state === 'VIEWED') && (
            <button
              type="button"
              class="plain"
              disabled={isBusy}
              onClick={() => answer('revokeAuthorization')}
            >
              Revoke
            </button>
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
