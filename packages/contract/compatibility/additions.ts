// Finds the names that a change adds for callers: operations, events, parameters and fields. The changelog names
// each of them.
import { find, isObject, type Json } from '../references.ts'
import { operationsOf } from './compare-documents.ts'
import { asList, asObject, pairs } from './compare-schemas.ts'

export function findAdditions(before: Json, after: Json): string[] {
  const operations = pairs(operationsOf(before), operationsOf(after))
  const added = operations.flatMap(([name, old]) => (old === undefined ? [name] : []))
  const schemasOf = ({ components }: Json) => asObject(asObject(components).schemas)
  const changed = [...operations, ...pairs(schemasOf(before), schemasOf(after))].flatMap(
    ([, old, current]) => {
      if (old === undefined) return []
      const parameters = [
        [before, old],
        [after, current],
      ].map(([document, owner]) =>
        asList(asObject(owner).parameters).map((each) => find(document as Json, each)?.name),
      )
      const names = parameters[1]!.filter((name) => !parameters[0]!.includes(name))
      return [...names.map(String), ...newFields(old, current)]
    },
  )
  return [...new Set([...added, ...changed])]
}

/** The fields that two forms of one part do not share. The parts of an `allOf` narrow fields of others. */
function newFields(before: unknown, after: unknown): string[] {
  if (Array.isArray(before) && Array.isArray(after))
    return after.flatMap((each, index) => newFields(before[index], each))
  if (!isObject(before) || !isObject(after)) return []
  const [old, current] = [asObject(before.properties), asObject(after.properties)]
  const names = 'properties' in before ? Object.keys(current).filter((name) => !Object.hasOwn(old, name)) : []
  const inner = pairs(before, after).filter(([key]) => key !== 'allOf')
  return [...names, ...inner.flatMap(([, left, right]) => newFields(left, right))]
}
