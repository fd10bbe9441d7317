import { isDeepStrictEqual } from 'node:util'
import { type Break, type Comparison, report } from './comparison.ts'
import { asObject, type Json, pairs, show } from './json.ts'
import { compareLifetimes } from './lifetimes.ts'
import { compareRest } from './messages.ts'
import { comparePaths, compareWebhooks } from './operations.ts'
import { type Flow, startAt } from './place.ts'
import { compareSchemas } from './schemas.ts'
import { compareSchemes } from './security.ts'
import { changedRefs } from './unchanged.ts'

/** What in the second document breaks a caller that follows the first. */
export function findBreaks(before: Json, after: Json): Break[] {
  const comparison: Comparison = {
    before,
    after,
    changed: changedRefs(before, after),
    breaks: new Map(),
    memo: new Map(),
  }
  comparePaths(comparison)
  compareWebhooks(comparison)
  compareSchemes(comparison)
  compareServers(comparison)
  compareLifetimes(comparison)
  compareSchemasOfItems(comparison)
  compareRest(comparison, startAt('document'), before, after, KNOWN)
  return [...comparison.breaks.values()]
}

/** Parts of a document that are compared one by one, or hold texts. */
const KNOWN = ['openapi', 'info', 'servers', 'tags', 'security', 'paths', 'webhooks', 'components']

function compareServers(comparison: Comparison): void {
  const serversOf = ({ servers }: Json) =>
    [servers ?? []].flat().map((server) => ({ ...asObject(server), description: undefined }))
  const left = serversOf(comparison.after)
  for (const server of serversOf(comparison.before)) {
    const index = left.findIndex((each) => isDeepStrictEqual(each, server))
    if (index >= 0) left.splice(index, 1)
    else {
      const problem = `${show(asObject(server).url)} is gone`
      report(comparison, startAt('servers'), problem, 'Keep the address, and add another beside it.')
    }
  }
}

/** Schemas that only `x-item-schema` or a text names: events of a stream, and lines of a body. */
function compareSchemasOfItems(comparison: Comparison): void {
  const schemasOf = (document: Json) => asObject(document.components).schemas
  const used = JSON.stringify(comparison.before, (key, value: unknown) =>
    key === 'x-item-schema' ? undefined : value,
  )
  for (const [name, before, after] of pairs(schemasOf(comparison.before), schemasOf(comparison.after))) {
    if (before === undefined || used.includes(`"#/components/schemas/${name}"`)) continue
    const at = { ...startAt(name), openField: 'type' }
    if (after === undefined) report(comparison, at, 'the schema is gone', 'Keep it.')
    else
      for (const flow of ['received', 'sent'] satisfies Flow[])
        compareSchemas(comparison, at, flow, before, after)
  }
}
