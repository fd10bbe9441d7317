import type { Schemas } from '@tiwala/contract'
import { ChoiceField, queryOf, TextField } from '@tiwala/ui/fields'
import { List, Table } from '@tiwala/ui/list'
import { useAction, useLoad } from '@tiwala/ui/load'
import { Alert, choicesOf, Countdown, Facts, Heading, State, Time, wordOf } from '@tiwala/ui/parts'
import { SETTING_LABELS } from '@tiwala/ui/setting-labels'
import { useEffect } from 'preact/hooks'
import { Act, Commands, commandOf, notifyActed } from './act.tsx'
import { api, mayCall, type OperatorId, type Session } from './api.ts'
import { readReport, ReportFacts } from './going-live.tsx'
import { hrefOf } from './location.ts'
import { PartnerLink } from './partner-link.tsx'
import { Person } from './person.tsx'
import { wordsOfScope } from './scopes.ts'

type Approval = Schemas['Approval']
type Status = Approval['status']

const STATUSES: Status[] = ['PENDING', 'GRANTED', 'RETURNED', 'WITHDRAWN', 'VOID', 'EXPIRED']

export const SUSPENSION_WARNING =
  'All requests of this partner are refused from now on, in every process within a second. Its people are signed out.'
export const ERASURE_WARNING =
  'The profile and the passport of this citizen can never be read again, not even from records. This cannot be undone.'

/** `needs`: the operation whose scopes the second person needs, too. `warning`: of what takes something away. */
type Kind = { words: string; needs: OperatorId; warning?: string }
const KINDS: Record<Approval['kind'], Kind> = {
  settings: { words: 'Change settings', needs: 'grantApproval' },
  suspension: { words: 'Suspend', needs: 'suspendPartner', warning: SUSPENSION_WARNING },
  resumption: { words: 'Resume', needs: 'resumePartner' },
  scope: { words: 'Give a further scope', needs: 'changePartner' },
  going_live: { words: 'Accept the report for going live', needs: 'decideGoingLiveReport' },
  erasure: { words: 'Erase a citizen', needs: 'eraseCitizen', warning: ERASURE_WARNING },
}

/** Changes that wait for a second person, and those that were decided. */
export const Approvals = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Approvals">Approvals</Heading>
    <p class="lead">
      What partners and administrators asked for, and who decided. You decide what another person asked.
    </p>
    <List
      filters={filters}
      hrefOf={(next) => hrefOf('approvals', '', next)}
      read={(query) => api('listApprovals', { query })}
      rowsOf={({ approvals }) => approvals}
      caption="Approvals, newest first"
      empty="No approvals match."
      none="No approval was asked for yet."
      keyOf={({ approval_id }) => approval_id}
      columns={[
        {
          title: 'Change',
          cell: (approval) => <a href={hrefOf('approvals', approval.approval_id)}>{changeOf(approval)}</a>,
        },
        {
          title: 'Partner',
          cell: ({ partner_code, partner_name }) =>
            partner_code && <PartnerLink code={partner_code} name={partner_name!} />,
        },
        { title: 'Status', cell: ({ status }) => <State state={status} /> },
        { title: 'Asked', cell: ({ requested_at }) => <Time at={requested_at} /> },
      ]}
      fields={
        <>
          <TextField label="Partner code" name="partner_code" wide />
          <ChoiceField label="Status" name="status" options={choicesOf(STATUSES)} />
        </>
      }
    />
    <Commands of={[commandOf('listApprovals', {}, queryOf(filters))]} />
  </>
)

export function Approval({ id, session }: { id: string; session: Session }) {
  const path = { approval_id: id }
  const { value, error, reload } = useLoad(id, async () => {
    const { body } = await api('readApproval', { path })
    return { approval: body, asker: await findAsker(body, session) }
  })
  return (
    <>
      <p>
        <a href={hrefOf('approvals')}>All approvals</a>
      </p>
      <Heading title="Approval">{value ? titleOf(value.approval) : 'Approval'}</Heading>
      <Alert text={error} retry={reload} />
      {value && (
        <>
          <ApprovalFacts {...value} />
          <Difference {...value} />
          {value.approval.status === 'PENDING' && !error && (
            <Decide {...value} session={session} done={reload} />
          )}
          <Commands of={[commandOf('readApproval', path)]} />
        </>
      )}
    </>
  )
}

/** The name of the person who asked. A member of the partner has an email, for those who may read it. */
async function findAsker(
  { partner_code, requested_by, requested_by_name }: Approval,
  session: Session,
): Promise<string | null | undefined> {
  if (requested_by_name || !partner_code || !mayCall(session, 'listPartnerMembers')) return requested_by_name
  // Without the email, the rest of the page can still be read.
  const response = await api('listPartnerMembers', { path: { partner_code } }).catch(() => undefined)
  return response?.body.members.find(({ member_id }) => member_id === requested_by)?.email
}

const FIELD_LABELS: Record<string, string> = {
  ...SETTING_LABELS,
  name: 'Name',
  purpose: 'Purpose',
  scopes: 'Scopes',
  limits: 'Limits',
  status: 'Status',
  going_live: 'Going live',
}
/** Of a setting, or the field of another change. */
const labelOf = (name: string) => FIELD_LABELS[name] ?? name

const changeOf = ({ kind, change }: Approval) =>
  kind === 'settings' ? Object.keys(change).map(labelOf).join(', ') : KINDS[kind].words

const titleOf = ({ kind, partner_name }: Approval) =>
  kind === 'settings'
    ? `A change of ${partner_name}`
    : [KINDS[kind].words, partner_name].filter(Boolean).join(' ')

/** What waits for a second person at a partner. */
export function Waiting({ code }: { code: string }) {
  const {
    value: approvals = [],
    error,
    reload,
  } = useLoad(code, async () => {
    const { body } = await api('listApprovals', { query: { partner_code: code, status: 'PENDING' } })
    return body.approvals
  })
  useEffect(() => {
    const listening = new AbortController()
    addEventListener('acted', reload, listening)
    return () => listening.abort()
  }, [reload])
  if (approvals.length === 0) return <Alert text={error} retry={reload} />
  return (
    <p class="notice info">
      Waits for a second person:{' '}
      {approvals.map((approval, index) => (
        <>
          {index > 0 && ', '}
          <a key={approval.approval_id} href={hrefOf('approvals', approval.approval_id)}>
            {changeOf(approval)}
          </a>
        </>
      ))}
      .
    </p>
  )
}

type DecideProps = { approval: Approval; session: Session; done: () => void }

function Decide({ approval, session, done }: DecideProps) {
  const { approval_id, kind, partner_code, uniqid, requested_by } = approval
  const action = useAction(done)
  const path = { approval_id }
  const { needs, warning } = KINDS[kind]
  const shared = {
    session,
    path,
    expected: partner_code ?? uniqid ?? approval_id,
    readers: kind === 'settings' ? 'for the audit and the partner' : 'for the audit',
    done,
    failed: done,
  }
  const withdraw = () =>
    void action.run(async () => {
      await api('withdrawOwnApproval', { path }).finally(notifyActed)
      return 'Withdrawn.'
    })
  if (requested_by === session.subject)
    return (
      <>
        <p>You asked for this. Another administrator decides.</p>
        <Alert text={action.error} />
        <p>
          <button type="button" class="button" onClick={withdraw}>
            Withdraw
          </button>
        </p>
      </>
    )
  return (
    <>
      {warning && <p class="notice warn">{warning}</p>}
      <div class="row">
        {mayCall(session, needs) && (
          <Act
            {...shared}
            id="grantApproval"
            label="Grant"
            did="Granted"
            title={`Grant: ${titleOf(approval)}`}
            {...(warning ? { tone: 'bad', warning } : { warning: 'The change is made at once.' })}
          >
            <Difference approval={approval} />
          </Act>
        )}
        <Act
          {...shared}
          id="returnApproval"
          label="Send back"
          did="Sent back"
          title={`Send back: ${titleOf(approval)}`}
          isHarmless
          warning="Nothing changes. The person who asked reads the reason."
          reasonIn="body"
        />
      </div>
    </>
  )
}

const ApprovalFacts = ({ approval, asker }: { approval: Approval; asker: string | null | undefined }) => (
  <Facts
    of={{
      Status: <State state={approval.status} />,
      Partner: approval.partner_code && (
        <PartnerLink code={approval.partner_code} name={approval.partner_name!} />
      ),
      Citizen: approval.uniqid && <code>{approval.uniqid}</code>,
      'Asked by': (
        <>
          <Person id={approval.requested_by} name={asker} />, <Time at={approval.requested_at} />
        </>
      ),
      Reason: approval.reason ?? 'none',
      Expires: approval.status === 'PENDING' && (
        <>
          <Time at={approval.expires_at} />, <Countdown to={approval.expires_at} />
        </>
      ),
      'Decided by': approval.decided_at && (
        <>
          {approval.decided_by ? (
            <Person
              id={approval.decided_by}
              name={approval.decided_by === approval.requested_by ? asker : approval.decided_by_name}
            />
          ) : (
            'a later change or request'
          )}
          , <Time at={approval.decided_at} />
          {approval.decision_reason && `: ${approval.decision_reason}`}
        </>
      ),
    }}
  />
)

/** States and scopes in words, texts of a list in lines, keys as JSON. */
const toText = (value: unknown, name = ''): string => {
  if (name === 'status') return wordOf(value as string)
  if (name === 'scopes') return (value as Schemas['Scope'][]).map(wordsOfScope).join('\n') || 'none'
  if (Array.isArray(value)) return value.map((each) => toText(each)).join('\n') || 'none'
  return typeof value === 'string' ? value : value ? JSON.stringify(value, null, 2) : 'none'
}

function Difference({ approval: { kind, partner_code, change, previous } }: { approval: Approval }) {
  // Its only field is an identifier of the service.
  if (kind === 'erasure') return null
  const { report, ...fields } = change
  const shown = report && readReport(report)
  return (
    <>
      {shown && <ReportFacts report={shown} code={partner_code!} />}
      <Table
        caption="The change"
        rows={Object.entries(fields)}
        keyOf={([name]) => name}
        columns={[
          { title: 'Setting', cell: ([name]) => labelOf(name) },
          {
            title: 'Before',
            cell: ([name]) => (
              <code class="value">{toText(previous[name as keyof typeof previous], name)}</code>
            ),
          },
          { title: 'After', cell: ([name, value]) => <code class="value">{toText(value, name)}</code> },
        ]}
      />
    </>
  )
}
