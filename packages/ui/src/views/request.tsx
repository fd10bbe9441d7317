import { routes, type Schemas } from '@tiwala/contract'
import { CopyButton } from '../copy-button.tsx'
import { Facts, Status, Time } from '../parts.tsx'

/** Opens one request by its id. */
export function FindRequest({ hrefOf }: { hrefOf: (id: string) => string }) {
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    const id = new FormData(event.target as HTMLFormElement).get('request_id') as string
    if (id.trim()) location.hash = hrefOf(id.trim())
  }
  return (
    <form class="filters" onSubmit={find} aria-label="Find a request">
      <label class="field wide">
        Request ID
        <input name="request_id" required placeholder="req_..." autocomplete="off" spellcheck={false} />
      </label>
      <button class="button">Open</button>
    </form>
  )
}

export const Result = ({ status, error }: { status: number; error: string | null }) => (
  <>
    <Status status={status} /> {error && <code>{error}</code>}
  </>
)

const MARKS = { passed: '✓', failed: '✗', not_reached: '–' } as const
const WORDS = { passed: 'passed', failed: 'failed', not_reached: 'not reached' } as const
const TONES = { passed: 'good', failed: 'bad', not_reached: '' } as const

/** The path is not known of a request that was rejected before the service determined the operation. */
const PathOf = ({ request: { method, operation } }: { request: Schemas['PartnerRequest'] }) => (
  <code>
    {method} {(routes.partner as Record<string, { path: string }>)[operation ?? '']?.path}
  </code>
)

export const RequestFacts = ({ request }: { request: Schemas['PartnerRequest'] }) => (
  <Facts
    of={{
      Result: <Result {...request} />,
      Received: (
        <>
          <Time at={request.received_at} />, answered in {request.duration_ms} ms
        </>
      ),
      'Request ID': (
        <>
          <code>{request.request_id}</code> <CopyButton text={request.request_id} />
        </>
      ),
      Request: <PathOf request={request} />,
      Credential: request.credential_id ? <code>{request.credential_id}</code> : 'no credential',
      'IP address': request.address ? <code>{request.address}</code> : 'unknown',
    }}
  />
)

/** The checks of a rejected request, and what failed. */
export function Checks({ diagnosis: { checks } }: { diagnosis: Schemas['Diagnosis'] }) {
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  return (
    <>
      {failed && (
        <p class="notice bad">
          The check <code>{failed.check}</code> failed{failed.detail && `: ${failed.detail}`}
        </p>
      )}
      <ol class="checks" aria-label="Checks of the request">
        {checks.map(({ check, outcome }) => (
          <li key={check} class={TONES[outcome]}>
            <span role="img" aria-label={WORDS[outcome]}>
              {MARKS[outcome]}
            </span>{' '}
            {check}
          </li>
        ))}
      </ol>
    </>
  )
}

type WhyProps = { error: string; diagnosis: Schemas['Diagnosis'] | null; helpUrl: string }

/** Which check rejected a request, and what its error means. */
export const Why = ({ error, diagnosis, helpUrl }: WhyProps) => (
  <section class="card">
    <h2>Why it failed</h2>
    {diagnosis ? (
      <Checks diagnosis={diagnosis} />
    ) : (
      <p>There is no diagnosis of this request yet, or it was deleted.</p>
    )}
    <p>
      <a href={helpUrl}>
        What <code>{error}</code> means, and what to do
      </a>
    </p>
  </section>
)
