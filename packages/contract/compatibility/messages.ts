import { isDeepStrictEqual } from 'node:util'
import { type Compare, type Comparison, report } from './comparison.ts'
import { compareKeyword, isBreaking } from './constraints.ts'
import { asObject, type Json, pairs, resolve, show } from './json.ts'
import { enter, type Flow, into, type Place } from './place.ts'
import { compareSchemas } from './schemas.ts'

/** Texts and samples, which no program reads. */
const TEXTS = /^(description|summary|examples?|deprecated|externalDocs|tags|x-(?!max-bytes).*)$/

/** What only adds to an object. */
const ADDITIONS = new Set(['links', 'callbacks'])

/** Compares the parts of an object that have no comparison of their own: each must stay. */
export function compareRest(
  comparison: Comparison,
  at: Place,
  before: Json,
  after: Json,
  known: readonly string[],
): void {
  for (const [key, old, current] of pairs(before, after)) {
    if (known.includes(key) || TEXTS.test(key) || isDeepStrictEqual(old, current)) continue
    if (old === undefined && ADDITIONS.has(key)) continue
    report(comparison, at, `\`${key}\` was ${show(old)} and is ${show(current)}`, 'Keep it as published.')
  }
}

/** Compares media types and their schemas. A media type may be added. */
export const compareContent: Compare = (comparison, at, flow, before, after) => {
  for (const [type, old, current] of pairs(before, after)) {
    const place = into(at, type)
    if (old === undefined) continue
    if (current === undefined) {
      report(comparison, place, 'the media type is gone', 'Keep it, and add another beside it.')
      continue
    }
    const [left, right] = [asObject(old), asObject(current)]
    compareSchemas(comparison, place, flow, left.schema, right.schema)
    const limit = 'x-max-bytes'
    if (isBreaking(flow, compareKeyword(limit, left[limit], right[limit])))
      report(
        comparison,
        place,
        `\`${limit}\` was ${show(left[limit])} and is ${show(right[limit])}`,
        'Keep the limit.',
      )
    compareRest(comparison, place, left, right, ['schema', limit])
  }
}

/** Compares the headers of a response. */
export function compareHeaders(comparison: Comparison, at: Place, before: unknown, after: unknown): void {
  for (const [name, old, current] of pairs(byLowerCase(before), byLowerCase(after))) {
    if (old === undefined) continue
    const place = enter(into(at, `header ${name}`), old, current)
    if (current === undefined) {
      report(comparison, place, 'the header is gone', 'Keep it.')
      continue
    }
    const [left, right] = [resolve(comparison.before, old), resolve(comparison.after, current)]
    if (left.required === true && right.required !== true)
      report(comparison, place, 'the header is no longer always present', 'Keep `required: true`.')
    compareValue(comparison, place, 'sent', left, right)
  }
}

const byLowerCase = (headers: unknown) =>
  Object.fromEntries(Object.entries(asObject(headers)).map(([name, value]) => [name.toLowerCase(), value]))

/** Compares the value of a parameter or header: its schema or content, and how it is written. */
export function compareValue(comparison: Comparison, at: Place, flow: Flow, left: Json, right: Json): void {
  compareSchemas(comparison, at, flow, left.schema, right.schema)
  compareContent(comparison, at, flow, left.content, right.content)
  for (const permission of ['allowReserved', 'allowEmptyValue'])
    if (left[permission] === true && right[permission] !== true)
      report(comparison, at, `\`${permission}\` is no longer true`, 'Keep it.')
  const known = ['name', 'in', 'required', 'schema', 'content', 'allowReserved', 'allowEmptyValue']
  compareRest(comparison, at, withStyle(left), withStyle(right), known)
}

/** The defaults of OpenAPI 3.1, section 4.8.12.2.1. */
function withStyle(parameter: Json): Json {
  const isSimple = ['path', 'header', undefined].includes(parameter.in as string | undefined)
  const style = parameter.style ?? (isSimple ? 'simple' : 'form')
  return { style, explode: style === 'form', ...parameter }
}
