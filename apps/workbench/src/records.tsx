import type { Schemas } from '@tiwala/contract'
import { usePages } from '@tiwala/ui/pages'
import { Alert, Filters, Heading, More, State, Time } from '@tiwala/ui/parts'
import { filled } from '@tiwala/ui/places'
import { api } from './api.ts'
import { ChoiceFilter, TextFilter } from './filters.tsx'
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

export function Records({ filters }: { filters: URLSearchParams }) {
  const { items, error, isBusy, hasMore, more, reload } = usePages(String(filters), async (cursor) => {
    const { body } = await api('listOwnRecords', { query: { ...filled(filters), ...(cursor && { cursor }) } })
    return { items: body.records, next: body.next_cursor }
  })
  return (
    <>
      <Heading title="Records">Records</Heading>
      <p class="lead">Your authorization records and their states, without the profiles.</p>
      <Filters filters={filters} hrefOf={(next) => hrefOf('records', '', next)} reload={reload}>
        <TextFilter label="Tracking number" name="tracking_no" filters={filters} wide />
        <ChoiceFilter label="State" name="state" filters={filters} options={STATES} />
      </Filters>
      <Alert text={error} />
      <div aria-live="polite" aria-busy={isBusy}>
        {items?.length === 0 && <p class="empty">No record fits.</p>}
        {items && items.length > 0 && (
          <table class="table">
            <caption class="hidden">Records, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Requested</th>
                <th scope="col">Tracking number</th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ tracking_no, state, requested_at }) => (
                <tr key={tracking_no}>
                  <td>
                    <Time at={requested_at} />
                  </td>
                  <td>
                    <code>{tracking_no}</code>
                  </td>
                  <td>
                    <State state={state} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <More hasMore={hasMore} isBusy={isBusy} onClick={more} />
    </>
  )
}
