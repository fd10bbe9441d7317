import { routes } from '@tiwala/contract'
import { ChoiceField, TextField, TimeField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { Heading, Time } from '@tiwala/ui/parts'
import { FindRequest, Result } from '@tiwala/ui/request'
import { api } from './api.ts'
import { hrefOf } from './location.ts'

const OPERATIONS = Object.keys(routes.partner)
const STATUSES = { '2XX': 'Succeeded (2XX)', '4XX': 'Rejected (4XX)', '5XX': 'Failed (5XX)' }

export const Requests = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Requests">Requests</Heading>
    <p class="lead">What your servers sent, newest first. No personal data, no QR or exchange codes.</p>
    <FindRequest hrefOf={(id) => hrefOf('requests', id)} />
    <List
      filters={filters}
      hrefOf={(next) => hrefOf('requests', '', next)}
      read={(query) => api('listRequests', { query })}
      rowsOf={({ requests }) => requests}
      caption="Requests, newest first"
      empty="No requests match."
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
        { title: 'Result', cell: Result },
        { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms` },
      ]}
      fields={
        <>
          <ChoiceField label="Operation" name="operation" options={OPERATIONS} />
          <ChoiceField label="Result" name="status" options={STATUSES} />
          <TextField label="Error code" name="error" placeholder="token_used" />
          <TimeField label="From" name="since" />
          <TimeField label="Until" name="until" />
        </>
      }
    />
  </>
)
