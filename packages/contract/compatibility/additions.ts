// Finds what a change adds for callers: operations, events, parameters and fields. The changelog names each of them.
import { find, isObject, type Json, refsFrom } from '../references.ts'
import { operationsOf } from './compare-documents.ts'
import { asList, asObject, pairs } from './compare-schemas.ts'

/** A new name, and its place, such as `Profile > photo`. An item of the changelog names it and one of the owners. */
type Addition = { name: string; place: string; owners: string[] }

export function findAdditions(before: Json, after: Json): Addition[] {
  const operations = pairs(operationsOf(before), operationsOf(after))
  const added = operations.filter(([, old]) => old === undefined)
  const reached = operations.map(([name, , current]) => [name, refsFrom(after, current)] as const)
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
      const operationsOfOwner = reached.filter(([, refs]) => refs.has(`#/components/schemas/${owner}`))
      const owners = [owner, ...operationsOfOwner.map(([name]) => name)]
      return [...new Set([...names.map(String), ...newFields([before, after], old, current)])].map(
        (name) => ({ name, place: `${owner} > ${name}`, owners }),
      )
    },
  )
  return [...added.map(([name]) => ({ name, place: name, owners: [name] })), ...changed]
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
