import { routes } from '@tiwala/contract'
import { ChoiceField, queryOf, TextField, TimeField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { Filters, Heading, Status, Time } from '@tiwala/ui/parts'
import { FindRequest } from '@tiwala/ui/request'
import { api } from './api.ts'
import { hrefOf } from './location.ts'

const OPERATIONS = Object.keys(routes.partner)
const STATUSES = { '2XX': 'Succeeded (2XX)', '4XX': 'Rejected (4XX)', '5XX': 'Failed (5XX)' }

export const Requests = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Requests">Requests</Heading>
    <p class="lead">What your servers sent, newest first. No personal data, no codes.</p>
    <FindRequest hrefOf={(id) => hrefOf('requests', id)} />
    <List
      of={String(filters)}
      read={async (cursor) => {
        const { body } = await api('listRequests', {
          query: { ...queryOf(filters), ...(cursor && { cursor }) },
        })
        return { items: body.requests, next: body.next_cursor }
      }}
      caption="Requests, newest first"
      empty="No request fits."
      none="No requests yet."
      keyOf={({ request_id }) => request_id}
      columns={[
        { title: 'Time', cell: ({ received_at }) => <Time at={received_at} /> },
        {
          title: 'Request',
          cell: ({ request_id, operation }) => (
            <>
              <a href={hrefOf('requests', request_id)}>{operation ?? 'unknown operation'}</a>
              <br />
              <code class="small soft">{request_id}</code>
            </>
          ),
        },
        {
          title: 'Result',
          cell: ({ status, error }) => (
            <>
              <Status status={status} /> {error && <code>{error}</code>}
            </>
          ),
        },
        { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms` },
      ]}
    >
      {(reload) => (
        <Filters filters={filters} hrefOf={(next) => hrefOf('requests', '', next)} reload={reload}>
          <ChoiceField label="Operation" name="operation" filters={filters} options={OPERATIONS} />
          <ChoiceField label="Result" name="status" filters={filters} options={STATUSES} />
          <TextField label="Error code" name="error" filters={filters} placeholder="token_used" />
          <TimeField label="From" name="since" filters={filters} />
          <TimeField label="Until" name="until" filters={filters} />
        </Filters>
      )}
    </List>
  </>
)
