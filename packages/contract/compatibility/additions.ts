// Finds what a change adds for callers: operations, events, parameters and fields. The changelog names each of them.
import { find, isObject, type Json } from '../references.ts'
import { operationsOf } from './compare-documents.ts'
import { asList, asObject, pairs } from './compare-schemas.ts'

/** Each new name, and where it is first, such as `Profile > photo`. */
export function findAdditions(before: Json, after: Json): Map<string, string> {
  const operations = pairs(operationsOf(before), operationsOf(after))
  const added = operations.flatMap(([name, old]) => (old === undefined ? [[name, name] as const] : []))
  const schemasOf = ({ components }: Json) => asObject(asObject(components).schemas)
  const changed = [...operations, ...pairs(schemasOf(before), schemasOf(after))].flatMap(
    ([owner, old, current]) => {
      if (old === undefined) return []
      const parameters = [
        [before, old],
        [after, current],
      ].map(([document, part]) =>
        asList(asObject(part).parameters).map((each) => find(document as Json, each)?.name),
      )
      const names = parameters[1]!.filter((name) => !parameters[0]!.includes(name))
      return [...names.map(String), ...newFields([before, after], old, current)].map(
        (name) => [name, `${owner} > ${name}`] as const,
      )
    },
  )
  const places = new Map<string, string>()
  for (const [name, place] of [...added, ...changed]) if (!places.has(name)) places.set(name, place)
  return places
}

/** The names of the fields of a schema. The parts of an `allOf` have some, and narrow others. */
function fieldsOf(document: Json, part: unknown): string[] {
  const schema = find(document, part) ?? {}
  return [
    ...Object.keys(asObject(schema.properties)),
    ...asList(schema.allOf).flatMap((each) => fieldsOf(document, each)),
  ]
}

/** The fields that two forms of one part, each of its document, do not share. */
function newFields(documents: readonly [Json, Json], before: unknown, after: unknown): string[] {
  if (Array.isArray(before) && Array.isArray(after))
    return after.flatMap((each, index) => newFields(documents, before[index], each))
  if (!isObject(before) || !isObject(after)) return []
  const hasFields = 'properties' in before || 'allOf' in before
  const [old, current] = [fieldsOf(documents[0], before), fieldsOf(documents[1], after)]
  const names = hasFields ? current.filter((name) => !old.includes(name)) : []
  // What a part of an `allOf` names was counted with all its parts.
  const inner = pairs(before, after).filter(([key]) => key !== 'allOf')
  return [...names, ...inner.flatMap(([, left, right]) => newFields(documents, left, right))]
}
