import type { Schemas } from '@tiwala/contract'
import { FileButton } from '@tiwala/ui/file-button'
import { Checks, isCheck } from '@tiwala/ui/going-live'
import { Alert, Facts, State, Time } from '@tiwala/ui/parts'
import { useState } from 'preact/hooks'
import { Act, commandOf } from './act.tsx'
import { mayCall, type Session } from './api.ts'
import { Person } from './person.tsx'

const DECISIONS: Record<Schemas['GoingLive']['status'], string> = {
  WAITING:
    'The partner is suspended until an administrator accepts the report of its sandbox, and resumes it.',
  ACCEPTED: 'An administrator accepted the report of its sandbox.',
  RETURNED: 'An administrator sent back the report of its sandbox. The partner sends a new one.',
}

type DecideProps = { path: { partner_code: string }; name: string; session: Session; done: () => void }

/** The decision about the report of a partner, and the form for the next one. */
export const GoingLive = ({ state, ...decide }: DecideProps & { state: Schemas['GoingLive'] }) => (
  <section>
    <h2>Going live</h2>
    <p>
      <State state={state.status} /> {DECISIONS[state.status]}
    </p>
    {state.decided_at && (
      <Facts
        of={{
          'Report written': <Time at={state.written_at!} />,
          Decided: (
            <>
              <Time at={state.decided_at} /> by <Person id={state.decided_by!} name={state.decided_by_name} />
            </>
          ),
          Reason: state.reason ?? 'none',
        }}
      />
    )}
    {mayCall(decide.session, 'decideGoingLiveReport') && <Decide {...decide} />}
  </section>
)

/** Larger than every report. */
const MAX_FILE_BYTES = 100_000

function Decide({ path, name, session, done }: DecideProps) {
  const [receipt, setReceipt] = useState('')
  const report = readReport(receipt)
  const choose = async (file: File) => setReceipt(receiptOf(await file.slice(0, MAX_FILE_BYTES).text()))
  const act = (status: 'ACCEPTED' | 'RETURNED') => ({
    session,
    id: 'decideGoingLiveReport' as const,
    path,
    fields: { report: receipt, status },
    command: `${commandOf('decideGoingLiveReport', path, { status })} --report "$(jq -r .receipt report.json)"`,
    expected: path.partner_code,
    done: () => {
      setReceipt('')
      done()
    },
  })
  return (
    <>
      <div class="act" role="group" aria-label="A report to decide about">
        <p>
          <FileButton
            label="Choose the report of the partner"
            accept=".json,application/json"
            choose={choose}
          />
        </p>
        <label class="field">
          Or paste its receipt
          <textarea
            rows={3}
            value={receipt}
            onInput={({ currentTarget }) => setReceipt(receiptOf(currentTarget.value))}
            spellcheck={false}
          />
        </label>
      </div>
      {receipt && !report && <Alert text="This is no report that this page can show." />}
      {report && (
        <>
          <ReportFacts report={report} code={path.partner_code} />
          <div class="row" key={receipt}>
            {report.is_ready && (
              <Act
                {...act('ACCEPTED')}
                label="Accept"
                title={`Accept the report of ${name}`}
                did="Accepted"
                warning="The service verifies the signature of the report. You can then resume the partner, which sends no request before."
              />
            )}
            <Act
              {...act('RETURNED')}
              label="Send back"
              title={`Send back the report of ${name}`}
              did="Sent back"
              isHarmless
              warning="The service verifies the signature of the report. The status of the partner stays as it is. Tell the partner what to mend: it does not see the reason."
            />
          </div>
        </>
      )}
    </>
  )
}

type Report = Pick<
  Schemas['GoingLiveReport'],
  'partner_code' | 'live_partner_code' | 'written_at' | 'is_ready' | 'checks'
>

export const ReportFacts = ({ report, code }: { report: Report; code: string }) => (
  <>
    <p class="notice warn" role="status">
      The report says: {report.partner_code} is {report.is_ready ? 'ready' : 'not ready'} to go live as{' '}
      {report.live_partner_code}. It was written <Time at={report.written_at} />.{' '}
      {report.live_partner_code !== code && 'That is another partner. '}
      {report.is_ready || 'It can only be sent back. '}
      <strong>This page does not verify the report.</strong> The service does when you decide.
    </p>
    <Checks checks={report.checks} />
  </>
)

/** The receipt in the text of a report; a text that is no JSON is the receipt itself. */
function receiptOf(text: string): string {
  try {
    const { receipt } = JSON.parse(text) as { receipt?: unknown }
    return typeof receipt === 'string' ? receipt : text
  } catch {
    return text.trim()
  }
}

/** The claims of a receipt, without a look at its signature. `undefined`: it is no report, or one with unknown checks. */
export function readReport(receipt: string): Report | undefined {
  try {
    const payload = atob(receipt.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(payload, (character) => character.charCodeAt(0))
    const { sub, iat, live_partner_code, is_ready, checks } = JSON.parse(
      new TextDecoder().decode(bytes),
    ) as Record<string, unknown>
    if (!Array.isArray(checks) || !checks.every(isCheck)) return undefined
    return {
      partner_code: String(sub),
      live_partner_code: String(live_partner_code),
      written_at: new Date(Number(iat) * 1_000).toISOString(),
      is_ready: is_ready === true,
      checks,
    }
  } catch {
    return undefined
  }
}
