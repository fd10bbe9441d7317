import type { Schemas } from '@tiwala/contract'
import { Checks } from '@tiwala/ui/going-live'
import { useAction } from '@tiwala/ui/load'
import { Alert, Heading, Time } from '@tiwala/ui/parts'
import { useState } from 'preact/hooks'
import { api, type Session } from './api.ts'
import { hrefOf } from './location.ts'

type Report = Schemas['GoingLiveReport']

export function GoingLive({ session }: { session: Session }) {
  const action = useAction()
  const [report, setReport] = useState<Report>()
  const check = (event: SubmitEvent) => {
    event.preventDefault()
    const live_partner_code = new FormData(event.target as HTMLFormElement).get('code') as string
    void action.run(async () =>
      setReport((await api('writeGoingLiveReport', { body: { live_partner_code } })).body),
    )
  }
  return (
    <>
      <Heading title="Going live">Going live</Heading>
      <p class="lead">
        Is your integration ready for real citizens? The service checks what your servers sent against{' '}
        <a href="/docs/guides/going-live">the list</a>, and writes a signed report for the administrator.
      </p>
      <Alert text={action.error} />
      {session.role === 'viewer' ? (
        <p>A developer or an admin of your organization can run the check.</p>
      ) : (
        <form class="filters" aria-label="Check the integration" onSubmit={check}>
          <label class="field">
            Your partner code in the live service
            <input
              name="code"
              required
              pattern="[A-Z0-9_]{2,32}"
              maxLength={32}
              autocomplete="off"
              spellcheck={false}
            />
          </label>
          <button class="button primary" aria-disabled={action.isBusy}>
            {action.isBusy ? 'Checking ...' : 'Check'}
          </button>
        </form>
      )}
      {report && <Result report={report} />}
    </>
  )
}

const Result = ({ report }: { report: Report }) => (
  <>
    <div class={`notice ${report.is_ready ? 'good' : 'warn'}`} role="status">
      <p>
        {report.is_ready
          ? 'Ready. Send the report to the administrator of the live service.'
          : 'Not ready. Do what failed or was not seen yet, and use profiles or sign-ins. Then check again. Unused features are skipped.'}
      </p>
      <p class="row">
        <a
          class="button compact"
          download={`going-live-${report.live_partner_code}.json`}
          href={`data:application/json,${encodeURIComponent(JSON.stringify(report, null, 2))}`}
        >
          Download the report
        </a>
        <span class="soft small">
          For {report.live_partner_code}, written <Time at={report.written_at} />. It is not kept here.
        </span>
      </p>
    </div>
    <Checks checks={report.checks} more={Requests} />
  </>
)

const Requests = ({ request_ids }: Schemas['GoingLiveCheck']) =>
  request_ids.length > 0 && (
    <span class="soft small">
      {' '}
      Requests:{' '}
      {request_ids.map((id, index) => (
        <>
          <a key={id} href={hrefOf('requests', id)} aria-label={`${index + 1}: ${id}`}>
            {index + 1}
          </a>{' '}
        </>
      ))}
    </span>
  )
