import type { Schemas } from '@tiwala/contract'
import { ChoiceField, queryOf, TextField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { choicesOf, Filters, Heading, State, Time } from '@tiwala/ui/parts'
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
      of={String(filters)}
      read={async (cursor) => {
        const { body } = await api('listOwnRecords', {
          query: { ...queryOf(filters), ...(cursor && { cursor }) },
        })
        return { items: body.records, next: body.next_cursor }
      }}
      caption="Records, newest first"
      empty="No record fits."
      none="No records yet."
      keyOf={({ tracking_no }) => tracking_no}
      columns={[
        { title: 'Requested', cell: ({ requested_at }) => <Time at={requested_at} /> },
        { title: 'Tracking number', cell: ({ tracking_no }) => <code>{tracking_no}</code> },
        { title: 'State', cell: ({ state }) => <State state={state} /> },
      ]}
    >
      {(reload) => (
        <Filters filters={filters} hrefOf={(next) => hrefOf('records', '', next)} reload={reload}>
          <TextField label="Tracking number" name="tracking_no" filters={filters} wide />
          <ChoiceField label="State" name="state" filters={filters} options={choicesOf(STATES)} />
        </Filters>
      )}
    </List>
  </>
)
