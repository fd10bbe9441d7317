import type { Location } from '@redocly/openapi-core/lib/ref-utils.js'
import type { UserContext } from '@redocly/openapi-core/lib/walk.js'

export type Context = UserContext
type Visit = (node: Node, context: Context) => void
export type Visitors = { [type: string]: Visit | Visitors }

/** A mapping of a document, or of what should be one. */
export type Node = Readonly<Record<string, unknown>>

export type Problem = {
  /** What is wrong. */
  what: string
  /** What to write instead. */
  write: string
  at?: Location
}
export type Report = (context: Context, problem: Problem) => void

/** The text of a finding: what is wrong, what goes wrong otherwise, what to write instead. */
export const explain = (what: string, why: string, write: string) => `${what}\nWhy: ${why}\nWrite: ${write}`

/** A rule for Redocly with the reason that all its findings share. */
export const rule = (why: string, visitors: (report: Report) => Visitors) => () =>
  visitors((context, { what, write, at = context.location }) =>
    context.report({ message: explain(what, why, write), location: at }),
  )

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as a mapping; an empty one if it is something else, which Redocly's rule `struct` reports. */
export const nodeOf = (value: unknown): Node => (isNode(value) ? value : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const isReference = (value: unknown): value is { $ref: string } =>
  isNode(value) && typeof value.$ref === 'string'

/** The target of a reference, or the value itself. */
export const resolved = (context: Context, value: unknown, from?: string): Node =>
  isReference(value) ? nodeOf(context.resolve(value, from).node) : nodeOf(value)

/** A value of a document in a message. */
export const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** A key as a part of a JSON pointer, and back. */
export const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
export const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** The types of a schema: `type` may be one name or a list. */
export const typesOf = (schema: Node): readonly unknown[] =>
  schema.type === undefined ? [] : [schema.type].flat()

/** A part that narrows a schema beside it: a member of `allOf`, a branch of `if`, or a property of one. */
export const isNarrowing = (pointer: string) =>
  /\/(allOf\/\d+|if|then|else|not)(\/properties\/[^/]+)*$/.test(pointer)

/** The candidate that is written most like the given word, if any is close. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const ranked = [...candidates]
    .map((candidate) => ({ candidate, edits: editDistance(word, candidate) }))
    .toSorted((a, b) => a.edits - b.edits)
  return ranked[0] && ranked[0].edits <= Math.max(2, word.length / 3) ? ranked[0].candidate : undefined
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, letter] of a.split('').entries()) {
    const current = [row + 1]
    for (let column = 0; column < b.length; column++)
      current.push(
        Math.min(
          previous[column + 1]! + 1,
          current[column]! + 1,
          previous[column]! + (letter === b[column] ? 0 : 1),
        ),
      )
    previous = current
  }
  return previous.at(-1)!
}
