import { queryOf, TextField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { Heading, Time } from '@tiwala/ui/parts'
import { Commands, commandOf } from './act.tsx'
import { api } from './api.ts'
import { WAYS } from './citizens.tsx'
import { hrefOf } from './location.ts'
import { PARTNER } from './partner-link.tsx'

const DAY_MS = 86_400_000
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const midnightOf = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
/** Days of the reader, whose clock can be behind that of the service. Some days have 23 or 25 hours. */
const daysSince = (at: string) =>
  Math.max(0, Math.round((midnightOf(new Date()) - midnightOf(new Date(at))) / DAY_MS))

export const Disputes = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Disputes">Disputes</Heading>
    <p class="lead">Disclosures of which a citizen says: this was not me.</p>
    <List
      filters={filters}
      hrefOf={(next) => hrefOf('disputes', '', next)}
      read={(query) => api('listDisputes', { query })}
      rowsOf={({ disputes }) => disputes}
      caption="Disputes, newest first"
      empty="No disputes match."
      none="No citizen has disputed anything yet."
      keyOf={({ disclosure_id }) => disclosure_id}
      columns={[
        {
          title: 'Disputed',
          cell: ({ disputed_at }) => (
            <>
              <Time at={disputed_at} />
              <br />
              <span class="small soft">{AGO.format(-daysSince(disputed_at), 'day')}</span>
            </>
          ),
        },
        PARTNER,
        {
          title: 'Disclosure',
          cell: ({ way, disclosed_at, disclosure_id }) => (
            <>
              {WAYS[way]}, <Time at={disclosed_at} />
              <br />
              <code class="small soft">{disclosure_id}</code>
            </>
          ),
        },
      ]}
      fields={<TextField label="Partner code" name="partner_code" />}
    />
    <Commands of={[commandOf('listDisputes', {}, queryOf(filters))]} />
  </>
)
