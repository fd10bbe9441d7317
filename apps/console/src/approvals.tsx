import type { Schemas } from '@tiwala/contract'
import { ChoiceField, queryOf, TextField } from '@tiwala/ui/fields'
import { List, Table } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Filters, Heading, State, Time } from '@tiwala/ui/parts'
import { Act, Command, commandOf } from './act.tsx'
import { api, type Session } from './api.ts'
import { hrefOf } from './location.ts'

type Approval = Schemas['Approval']
type Status = Approval['status']

const STATUSES: Status[] = ['PENDING', 'GRANTED', 'RETURNED', 'WITHDRAWN', 'VOID', 'EXPIRED']

/** Changes that wait for a second person, and those that were decided. */
export const Approvals = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Approvals">Approvals</Heading>
    <p class="lead">What partners asked to change, and who decided. You decide what another person asked.</p>
    <List
      of={String(filters)}
      read={async (cursor) => {
        const { body } = await api('listApprovals', {
          query: { ...queryOf(filters), ...(cursor && { cursor }) },
        })
        return { items: body.approvals, next: body.next_cursor }
      }}
      caption="Approvals, newest first"
      empty="No approval fits."
      keyOf={({ approval_id }) => approval_id}
      columns={[
        {
          title: 'Change',
          cell: ({ approval_id, change }) => (
            <a href={hrefOf('approvals', approval_id)}>{Object.keys(change).join(', ')}</a>
          ),
        },
        {
          title: 'Partner',
          cell: ({ partner_code }) => <a href={hrefOf('partners', partner_code)}>{partner_code}</a>,
        },
        { title: 'Status', cell: ({ status }) => <State state={status} /> },
        { title: 'Asked', cell: ({ requested_at }) => <Time at={requested_at} />, isFar: true },
      ]}
    >
      {(reload) => (
        <Filters filters={filters} hrefOf={(next) => hrefOf('approvals', '', next)} reload={reload}>
          <TextField label="Partner code" name="partner_code" filters={filters} />
          <ChoiceField label="Status" name="status" filters={filters} options={STATUSES} />
        </Filters>
      )}
    </List>
    <Command text={commandOf('listApprovals', {}, queryOf(filters))} />
  </>
)

export function Approval({ id, session }: { id: string; session: Session }) {
  const path = { approval_id: id }
  const { value, error, reload } = useLoad(id, async () => (await api('readApproval', { path })).body)
  return (
    <>
      <p>
        <a href={hrefOf('approvals')}>All approvals</a>
      </p>
      <Heading title="Approval">{value ? `A change of ${value.partner_code}` : 'Approval'}</Heading>
      <Alert text={error} />
      {value && (
        <>
          <Facts approval={value} />
          <Difference approval={value} />
          {value.status === 'PENDING' && (
            <div class="row">
              <Act
                session={session}
                id="grantApproval"
                path={path}
                label="Grant"
                warning="The change is made at once, exactly as it stands above."
                expected={value.partner_code}
                readers="for the audit and the partner"
                done={reload}
              />
              <Act
                session={session}
                id="returnApproval"
                path={path}
                label="Return"
                warning="Nothing changes. The person who asked reads the reason."
                expected={value.partner_code}
                readers="for the audit and the partner"
                reasonIn="body"
                done={reload}
              />
            </div>
          )}
          <Command text={commandOf('readApproval', path)} />
        </>
      )}
    </>
  )
}

const Facts = ({ approval }: { approval: Approval }) => (
  <dl class="facts">
    <dt>Status</dt>
    <dd>
      <State state={approval.status} />
    </dd>
    <dt>Asked by</dt>
    <dd>
      <code>{approval.requested_by}</code>, <Time at={approval.requested_at} />
    </dd>
    <dt>Reason</dt>
    <dd>{approval.reason ?? 'none'}</dd>
    <dt>Ends</dt>
    <dd>
      <Time at={approval.expires_at} />
    </dd>
    {approval.decided_at && (
      <>
        <dt>Decided by</dt>
        <dd>
          {approval.decided_by ?? 'a later change or request'}, <Time at={approval.decided_at} />
          {approval.decision_reason && `: ${approval.decision_reason}`}
        </dd>
      </>
    )}
  </dl>
)

/** Texts of a list in lines, keys as JSON. */
const toText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(toText).join('\n') || 'none'
  return typeof value === 'string' ? value : value ? JSON.stringify(value, null, 2) : 'none'
}

const Difference = ({ approval: { change, previous } }: { approval: Approval }) => (
  <Table
    caption="The change"
    rows={Object.entries(change)}
    keyOf={([name]) => name}
    columns={[
      { title: 'Setting', cell: ([name]) => <code>{name}</code> },
      {
        title: 'Before',
        cell: ([name]) => <code class="value">{toText(previous[name as keyof typeof previous])}</code>,
      },
      { title: 'After', cell: ([, value]) => <code class="value">{toText(value)}</code> },
    ]}
  />
)
