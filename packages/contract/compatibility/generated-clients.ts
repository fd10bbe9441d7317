// Partners generate clients from partner-3.0.json. Their code names the types of that document, and its tags
// as classes. No message contains these names, so another name breaks code although no message changes.
import { METHODS } from '../bundle.ts'
import { type Document, flatDocument } from '../generator/flat-document.ts'
import type { Break } from './comparison.ts'
import { asObject, asText, decode, type Json, pairs, show } from './json.ts'

/** What code of generated clients names, and the second partner document no longer has. */
export function findLostNames(before: Json, after: Json): Break[] {
  const [old, current] = [before, after].map((each) => flatDocument(each as unknown as Document))
  const [types, operations] = [
    pairs(typesOf(old!), typesOf(current!)),
    pairs(operationsOf(old!), operationsOf(current!)),
  ]
  const gone = types.filter(([, , type]) => type === undefined).map(([name]) => name)
  const renamed = [...types, ...operations].flatMap(([name, left, right]) =>
    renamedTypes(name, left, right).filter(({ was }) => !gone.includes(was)),
  )
  return [
    ...gone.map((name) => lost(name, 'is gone')),
    ...renamed.map(({ place, was, is }) => lost(place, `had the type ${was} and has ${is}`)),
    ...operations.flatMap(([name, left, right]) => {
      const [was, is] = [left, right].map((operation) => show(asObject(operation).tags))
      return left === undefined || right === undefined || was === is
        ? []
        : [lost(`${name} > tags`, `had the tags ${was} and has ${is}`)]
    }),
  ]
}

function lost(place: string, problem: string): Break {
  const subject = place.split(' ', 1)[0]!
  return {
    subject,
    place,
    problem: `in partner-3.0.json, it ${problem}: code of generated clients names it`,
    advice: 'Keep the name.',
    operations: [subject],
  }
}

const typesOf = (document: Json) => asObject(document.components).schemas

/** The operations by their operationId, which is the name of a method. */
const operationsOf = ({ paths }: Json) =>
  Object.fromEntries(
    Object.values(asObject(paths)).flatMap((item) =>
      METHODS.flatMap((method) => {
        const operation = asObject(asObject(item)[method])
        return operation.operationId === undefined ? [] : [[operation.operationId, operation]]
      }),
    ),
  ) as Json

/** The fields and bodies of a type or an operation that refer to a type, and now to one of another name. */
function renamedTypes(
  place: string,
  before: unknown,
  after: unknown,
): { place: string; was: string; is: string }[] {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return []
  const [was, is] = [before, after].map((schema) => nameOfType(asObject(schema)))
  if (was !== undefined) return was === is ? [] : [{ place, was, is: is ?? 'no named type' }]
  return pairs(before, after).flatMap(([key, left, right]) =>
    renamedTypes(UNNAMED.test(key) ? place : `${place} > ${key}`, left, right),
  )
}

/** Steps that a message leaves out. */
const UNNAMED = /^(properties|schema|content|application\/json|allOf|items|\d)$/

function nameOfType({ $ref }: Json): string | undefined {
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec(asText($ref) ?? '') ?? []
  return name && decode(name)
}
