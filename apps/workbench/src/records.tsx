import type { Schemas } from '@tiwala/contract'
import { ChoiceField, TextField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { choicesOf, Heading, State, Time } from '@tiwala/ui/parts'
import { api } from './api.ts'
import { hrefOf } from './location.ts'

const STATES: Schemas['AuthorizationState'][] = [
  'PENDING',
  'ACCEPTED',
  'DECLINED',
  'EXPIRED',
  'CANCELLED',
  'REVOKED',
  'VIEWED',
]

export const Records = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Records">Records</Heading>
    <p class="lead">Your authorization records and their states, without the profiles.</p>
    <List
      filters={filters}
      hrefOf={(next) => hrefOf('records', '', next)}
      read={(query) => api('listOwnRecords', { query })}
      rowsOf={({ records }) => records}
      caption="Records, newest first"
      empty="No records match."
      none="No records yet."
      keyOf={({ tracking_no }) => tracking_no}
      columns={[
        { title: 'Requested', cell: ({ requested_at }) => <Time at={requested_at} /> },
        { title: 'Tracking number', cell: ({ tracking_no }) => <code>{tracking_no}</code> },
        { title: 'State', cell: ({ state }) => <State state={state} /> },
      ]}
      fields={
        <>
          <TextField label="Tracking number" name="tracking_no" wide />
          <ChoiceField label="State" name="state" options={choicesOf(STATES)} />
        </>
      }
    />
  </>
)
