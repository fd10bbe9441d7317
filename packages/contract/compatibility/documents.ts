import {
  asObject,
  type Break,
  type Comparison,
  type Flow,
  type Json,
  pairs,
  report,
  startAt,
} from './comparison.ts'
import { compareLifetimes } from './lifetimes.ts'
import { comparePaths, compareWebhooks } from './operations.ts'
import { compareSchemas } from './schemas.ts'
import { compareSchemes } from './security.ts'

/** What in the second document breaks a caller that follows the first. */
export function findBreaks(before: Json, after: Json): Break[] {
  const comparison: Comparison = { before, after, breaks: new Map() }
  comparePaths(comparison)
  compareWebhooks(comparison)
  compareSchemes(comparison)
  compareServers(comparison)
  compareLifetimes(comparison)
  compareSchemasNamedInTexts(comparison)
  return [...comparison.breaks.values()]
}

function compareServers(comparison: Comparison): void {
  const urlsOf = ({ servers }: Json) =>
    Array.isArray(servers) ? servers.map((server) => String(asObject(server).url)) : []
  for (const url of urlsOf(comparison.before))
    if (!urlsOf(comparison.after).includes(url))
      report(comparison, startAt('servers'), `${url} is gone`, 'Keep the address, and add another beside it.')
}

/** Schemas without a reference describe lines of a body or a stream. The document does not say who writes them. */
function compareSchemasNamedInTexts(comparison: Comparison): void {
  const schemasOf = (document: Json) => asObject(document.components).schemas
  const used = JSON.stringify(comparison.before)
  for (const [name, before, after] of pairs(schemasOf(comparison.before), schemasOf(comparison.after))) {
    if (before === undefined || used.includes(`"#/components/schemas/${name}"`)) continue
    const at = startAt(name)
    if (after === undefined) report(comparison, at, 'the schema is gone', 'Keep it.')
    else
      for (const flow of ['received', 'sent'] satisfies Flow[])
        compareSchemas(comparison, at, flow, before, after)
  }
}
