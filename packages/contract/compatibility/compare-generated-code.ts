// Partners generate clients from partner-3.0.json. Their code names the types of that document, and its tags
// as classes. No message contains these names, so another name breaks code although no message changes.
import { type Document, flatDocument } from '../generator/flat-document.ts'
import { type Json, nameOf } from '../references.ts'
import { type Break, entriesOf, operationsOf } from './compare-documents.ts'
import { asList, asObject, asText, pairs, show } from './compare-schemas.ts'

/** What code of generated clients names, and the second partner document no longer has. */
export function findLostNames(before: Json, after: Json): Break[] {
  const [old, current] = [before, after].map((each) => flatDocument(each as unknown as Document))
  const typesOf = ({ components }: Json) => asObject(asObject(components).schemas)
  const types = pairs(typesOf(old!), typesOf(current!))
  const operations = pairs(operationsOf(old!), operationsOf(current!))
  const removed = types.filter(([, , type]) => type === undefined).map(([name]) => name)
  const renamed = [...types, ...operations].flatMap(([name, left, right]) =>
    renamedTypes(name, left, right).filter(({ was }) => !removed.includes(was)),
  )
  return [
    ...removed.map((name) => lost(name, 'was removed')),
    ...renamed.map(({ place, was, is }) => lost(place, `had the type ${was} and has ${is}`)),
    ...operations.flatMap(([name, left, right]) => {
      const [was, is] = [show(left?.tags), show(right?.tags)]
      return !left || !right || was === is
        ? []
        : [lost(`${name} > tags`, `had the tags ${was} and has ${is}`)]
    }),
  ]
}

function lost(place: string, edit: string): Break {
  const subject = place.split(' ', 1)[0]!
  const problem = `in partner-3.0.json, it ${edit}: code of generated clients names it`
  return { subject, place, problem, advice: 'Keep it.', operations: [subject] }
}

/** Steps that a message leaves out. */
const UNNAMED = /^(properties|schema|content|application\/json|allOf|items|\d)$/

type Renamed = { place: string; was: string; is: string }

/** The fields, parameters and bodies of a type or an operation that have another type. */
function renamedTypes(place: string, before: unknown, after: unknown): Renamed[] {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return []
  const [was, is] = [before, after].map((schema) => nameOfType(asObject(schema)))
  if (was !== undefined) return was === is ? [] : [{ place, was, is: is ?? 'no named type' }]
  return pairs(entriesOf(before), entriesOf(after)).flatMap(([key, left, right]) =>
    renamedTypes(UNNAMED.test(key) ? place : `${place} > ${key}`, left, right),
  )
}

/**
 * The type that generators give a value. A field that may be null, or has a text of its own, refers to its type
 * in `allOf`. Whether a value may be null is no part of the type: that a field is never null breaks nothing.
 */
function nameOfType({ $ref, allOf, type, format, enum: values }: Json): string | undefined {
  const ref = asText($ref ?? asObject(asList(allOf)[0]).$ref)
  if (ref?.startsWith('#/components/schemas/')) return nameOf(ref)
  if (!/^(string|integer|number|boolean)$/.test(asText(type) ?? '')) return undefined
  return [type, format, values && 'with a list of values'].filter(Boolean).join(' ')
}
