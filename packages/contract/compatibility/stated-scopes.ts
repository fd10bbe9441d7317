import { type Comparison, report } from './comparison.ts'
import type { Json } from './json.ts'
import { into, type Place } from './place.ts'

/** Scopes of partners are not in a security scheme. Their fixed place is this sentence of a description. */
const NEEDS = /Needs the scope `(\w+)`/g

/** An operation that needs a further scope rejects callers that it accepted. */
export function compareStatedScopes(comparison: Comparison, at: Place, before: Json, after: Json): void {
  const known = scopesOf(before)
  for (const scope of scopesOf(after).filter((each) => !known.includes(each)))
    report(
      comparison,
      into(at, 'description'),
      `the operation now needs the scope \`${scope}\``,
      'Ask for a further scope in a new operation only.',
    )
}

const scopesOf = ({ description }: Json) =>
  [...String(description).matchAll(NEEDS)].map(([, scope]) => scope!)
