import { hrefOf } from './location.ts'

/** A person expects the name. Filters and commands take the code. */
export const PartnerLink = ({ code, name }: { code: string; name: string }) => (
  <>
    <a href={hrefOf('partners', code)}>{name}</a>
    <br />
    <code class="small soft">{code}</code>
  </>
)
