import { List } from '@tiwala/ui/list'
import { Filters, Heading } from '@tiwala/ui/parts'
import { filled } from '@tiwala/ui/places'
import { api } from './api.ts'
import { hrefOf } from './location.ts'

export const toneOfStatus = (status: string) => (status === 'ACTIVE' ? 'good' : 'bad')

export const Partners = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Partners">Partners</Heading>
    <List
      of={String(filters)}
      read={async (cursor) => {
        const { body } = await api('listPartners', {
          query: { ...filled(filters), ...(cursor && { cursor }) },
        })
        return { items: body.partners, next: body.next_cursor }
      }}
      caption="Partners, by code"
      empty="No partner fits."
      keyOf={({ partner_code }) => partner_code}
      columns={[
        {
          title: 'Partner',
          cell: ({ partner_code, name }) => (
            <>
              <a href={hrefOf('partners', partner_code)}>{name}</a>
              <br />
              <code class="small soft">{partner_code}</code>
            </>
          ),
        },
        {
          title: 'Status',
          cell: ({ status }) => <span class={`badge ${toneOfStatus(status)}`}>{status}</span>,
        },
        { title: 'Scopes', cell: ({ scopes }) => scopes.join(', '), isFar: true },
      ]}
    >
      {(reload) => (
        <Filters filters={filters} hrefOf={(next) => hrefOf('partners', '', next)} reload={reload}>
          <label class="field wide">
            Code or name
            <input name="q" defaultValue={filters.get('q') ?? ''} autocomplete="off" />
          </label>
          <label class="field">
            Status
            <select name="status">
              {['', 'ACTIVE', 'SUSPENDED'].map((status) => (
                <option key={status} value={status} selected={status === (filters.get('status') ?? '')}>
                  {status || 'All'}
                </option>
              ))}
            </select>
          </label>
        </Filters>
      )}
    </List>
  </>
)
