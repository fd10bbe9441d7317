import { routes, type Schemas } from '@tiwala/contract'
import { usePages } from '@tiwala/ui/pages'
import { Alert, Filters, Heading, More, Status, Time } from '@tiwala/ui/parts'
import { api } from './api.ts'
import { ChoiceFilter, queryOf, TextFilter } from './filters.tsx'
import { hrefOf } from './location.ts'

const OPERATIONS = Object.keys(routes.partner)
const STATUSES = { '2XX': 'Succeeded (2XX)', '4XX': 'Rejected (4XX)', '5XX': 'Failed (5XX)' }
export function Requests({ filters }: { filters: URLSearchParams }) {
  const { items, error, isBusy, hasMore, more, reload } = usePages(String(filters), async (cursor) => {
    const { body } = await api('listRequests', { query: { ...queryOf(filters), ...(cursor && { cursor }) } })
    return { items: body.requests, next: body.next_cursor }
  })
  return (
    <>
      <Heading title="Requests">Requests</Heading>
      <p class="lead">What your servers sent, newest first. No personal data, no codes.</p>
      <FindRequest />
      <Filters filters={filters} hrefOf={(next) => hrefOf('requests', '', next)} reload={reload}>
        <ChoiceFilter label="Operation" name="operation" filters={filters} options={OPERATIONS} />
        <ChoiceFilter label="Result" name="status" filters={filters} options={STATUSES} />
        <TextFilter label="Error code" name="error" filters={filters} placeholder="token_used" />
        <TextFilter label="From" name="since" filters={filters} />
        <TextFilter label="Until" name="until" filters={filters} />
      </Filters>
      <Alert text={error} />
      <div aria-live="polite" aria-busy={isBusy}>
        {items?.length === 0 && <p class="empty">No request fits.</p>}
        {items && items.length > 0 && <RequestTable requests={items} />}
      </div>
      <More hasMore={hasMore} isBusy={isBusy} onClick={more} />
    </>
  )
}

function FindRequest() {
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    const input = (event.target as HTMLFormElement).elements.namedItem('request_id') as HTMLInputElement
    const id = input.value.trim()
    if (id) location.hash = hrefOf('requests', id)
  }
  return (
    <form class="filters" onSubmit={find}>
      <label class="field wide">
        Request id
        <input name="request_id" required placeholder="req_..." autocomplete="off" spellcheck={false} />
      </label>
      <button class="button">Open</button>
    </form>
  )
}

const RequestTable = ({ requests }: { requests: Schemas['PartnerRequest'][] }) => (
  <table class="table">
    <caption class="hidden">Requests, newest first</caption>
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Request</th>
        <th scope="col">Result</th>
        <th scope="col" class="far">
          Took
        </th>
      </tr>
    </thead>
    <tbody>
      {requests.map((request) => (
        <tr key={request.request_id}>
          <td>
            <Time at={request.received_at} />
          </td>
          <td>
            <a href={hrefOf('requests', request.request_id)}>{request.operation ?? 'unknown operation'}</a>
            <br />
            <code class="small soft far">{request.request_id}</code>
          </td>
          <td>
            <Status status={request.status} /> {request.error && <code>{request.error}</code>}
          </td>
          <td class="far">{request.duration_ms} ms</td>
        </tr>
      ))}
    </tbody>
  </table>
)
