import { ChoiceField, TextField, TimeField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { useLoad } from '@tiwala/ui/load'
import { Alert, Heading, Time } from '@tiwala/ui/parts'
import { FindRequest, Result, RequestFacts, Why } from '@tiwala/ui/request'
import { Commands, commandOf } from './act.tsx'
import { api } from './api.ts'
import { hrefOf } from './location.ts'
import { PartnerLink } from './partner-link.tsx'

/** By the id of a request, or by the partner and the time. */
export const Refusals = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Rejected requests">Rejected requests</Heading>
    <p class="lead">
      Which check rejected a request of a partner. No personal data, no QR or exchange codes.
    </p>
    <FindRequest hrefOf={(id) => hrefOf('refusals', id)} />
    <List
      filters={filters}
      hrefOf={(next) => hrefOf('refusals', '', next)}
      read={async ({ partner_code, ...query }) =>
        partner_code
          ? api('listPartnerRequests', {
              path: { partner_code },
              // The status follows from an error code.
              query: { ...(query.error ? { failed: true } : { status: '4XX' }), ...query },
            })
          : { body: { requests: [], next_cursor: null } }
      }
      rowsOf={({ requests }) => requests}
      caption="Requests, newest first"
      empty={
        filters.get('partner_code') ? 'No requests match.' : 'Name a partner, or open a request by its id.'
      }
      keyOf={({ request_id }) => request_id}
      columns={[
        { title: 'Time', cell: ({ received_at }) => <Time at={received_at} /> },
        {
          title: 'Request',
          cell: ({ request_id, operation }) => (
            <a href={hrefOf('refusals', request_id)}>{operation ?? 'unknown operation'}</a>
          ),
        },
        { title: 'Result', cell: Result },
        { title: 'IP address', cell: ({ address }) => address ?? 'unknown' },
      ]}
      fields={
        <>
          <TextField label="Partner code" name="partner_code" required />
          <ChoiceField
            label="Status"
            name="status"
            options={{ '5XX': 'Failed (5XX)', '2XX': 'Succeeded (2XX)' }}
            none="Rejected (4XX)"
          />
          <TextField label="Error code" name="error" placeholder="token_used" />
          <TimeField label="From" name="since" />
          <TimeField label="Until" name="until" />
        </>
      }
    />
  </>
)

export function Refusal({ id }: { id: string }) {
  const { value, error, reload } = useLoad(
    id,
    async () => (await api('readPartnerRequest', { path: { request_id: id } })).body,
  )
  return (
    <>
      <p>
        <a href={hrefOf('refusals')}>All rejected requests</a>
      </p>
      <Heading title={`Request ${id}`}>{value?.request.operation ?? 'Request'}</Heading>
      <Alert text={error} retry={reload} />
      {value && (
        <>
          <p>
            Of the partner <PartnerLink code={value.partner_code} name={value.partner_name} />
          </p>
          <RequestFacts request={value.request} />
          {value.request.error && (
            <Why error={value.request.error} diagnosis={value.diagnosis} helpUrl={value.help_url!} />
          )}
        </>
      )}
      <Commands of={[commandOf('readPartnerRequest', { request_id: id })]} />
    </>
  )
}
