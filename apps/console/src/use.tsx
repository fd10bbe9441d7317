import type { Schemas } from '@tiwala/contract'
import { ChoiceField, queryOf, TextField, TimeField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { Day, Heading } from '@tiwala/ui/parts'
import { Commands, commandOf } from './act.tsx'
import { api } from './api.ts'
import { hrefOf } from './location.ts'
import { PARTNER } from './partner-link.tsx'

const KINDS: Record<Schemas['UseKind'], string> = {
  operation: 'Operation',
  scope: 'Scope',
  field: 'Optional field',
  media_type: 'Type of the body',
  client: 'Client',
}

/** Who still uses something, and what a partner uses. */
export const Use = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Usage">Usage</Heading>
    <p class="lead">
      What partners used in the last year. Before something ends, see who still depends on it.
    </p>
    <List
      filters={filters}
      hrefOf={(next) => hrefOf('use', '', next)}
      read={(query) => api('listUse', { query })}
      rowsOf={({ use }) => use}
      caption="Usage, by kind and name"
      empty="No usage matches."
      none="No partner has used anything yet."
      keyOf={({ partner_code, kind, name }) => [partner_code, kind, name].join(' ')}
      columns={[
        {
          title: 'What',
          cell: ({ kind, name }) => (
            <a href={hrefOf('use', '', String(new URLSearchParams({ kind, name })))}>
              <code>{name}</code>
            </a>
          ),
        },
        { title: 'Kind', cell: ({ kind }) => KINDS[kind] },
        PARTNER,
        { title: 'First day', cell: ({ first_used_on }) => <Day on={first_used_on} /> },
        { title: 'Last day', cell: ({ last_used_on }) => <Day on={last_used_on} /> },
      ]}
      fields={
        <>
          <ChoiceField label="Kind" name="kind" options={KINDS} />
          <TextField label="Name" name="name" placeholder="generateToken" />
          <TextField label="Partner code" name="partner_code" wide />
          <TimeField label="Used since" name="since" />
        </>
      }
    />
    <Commands of={[commandOf('listUse', {}, queryOf(filters))]} />
  </>
)
