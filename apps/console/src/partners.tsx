import { ChoiceField, queryOf, TextField } from '@tiwala/ui/fields'
import { List } from '@tiwala/ui/list'
import { choicesOf, Heading, State } from '@tiwala/ui/parts'
import { Commands, commandOf } from './act.tsx'
import { api } from './api.ts'
import { hrefOf } from './location.ts'
import { PartnerLink } from './partner-link.tsx'
import { wordsOfScope } from './scopes.ts'

export const Partners = ({ filters }: { filters: URLSearchParams }) => (
  <>
    <Heading title="Partners">Partners</Heading>
    <List
      filters={filters}
      hrefOf={(next) => hrefOf('partners', '', next)}
      read={(query) => api('listPartners', { query })}
      rowsOf={({ partners }) => partners}
      caption="Partners, by code"
      empty="No partners match."
      none="There is no partner yet."
      keyOf={({ partner_code }) => partner_code}
      columns={[
        {
          title: 'Partner',
          cell: ({ partner_code, name }) => <PartnerLink code={partner_code} name={name} />,
        },
        {
          title: 'Status',
          cell: ({ status }) => <State state={status} />,
        },
        { title: 'Scopes', cell: ({ scopes }) => scopes.map(wordsOfScope).join(', ') },
      ]}
      fields={
        <>
          <TextField label="Code or name" name="q" wide />
          <ChoiceField label="Status" name="status" options={choicesOf(['ACTIVE', 'SUSPENDED'])} />
        </>
      }
    />
    <Commands of={[commandOf('listPartners', {}, queryOf(filters))]} />
  </>
)
