import type { Column } from '@tiwala/ui/list'
import { hrefOf } from './location.ts'

/** A person expects the name. Filters and commands take the code. */
export const PartnerLink = ({ code, name }: { code: string; name: string }) => (
  <>
    <a href={hrefOf('partners', code)}>{name}</a>
    <br />
    <code class="small soft">{code}</code>
  </>
)

export const PARTNER: Column<{ partner_code: string; partner_name: string }> = {
  title: 'Partner',
  cell: ({ partner_code, partner_name }) => <PartnerLink code={partner_code} name={partner_name} />,
}
