import { isDeepStrictEqual } from 'node:util'
import {
  type Break,
  type Compare,
  compareOnce,
  type Comparison,
  record,
  report,
  trialOf,
} from './comparison.ts'
import { ADVICE, compareKeyword, describe, isBreaking } from './constraints.ts'
import { effectiveSchema } from './effective-schema.ts'
import { asObject, asText, type Json, pairs, show } from './json.ts'
import { enter, type Flow, into, type Place } from './place.ts'
import { isUnchanged } from './unchanged.ts'

/** Keywords that have a comparison of their own. */
const STRUCTURE = new Set(['properties', 'required', 'oneOf', 'anyOf'])

/** Lists of values that grow without notice: callers must expect values that they do not know. */
const OPEN_COMPONENTS = new Set(['ErrorCode', 'EventType'])

/** Compares what two schemas allow. */
export function compareSchemas(
  comparison: Comparison,
  place: Place,
  flow: Flow,
  before: unknown,
  after: unknown,
): void {
  if (isUnchanged(comparison.changed, before, after)) return
  const at = enter(place, before, after)
  if (at.refs.length > place.refs.length && place.refs.includes(at.refs.at(-1)!)) return
  const isComponent = at.steps.length === 0 && at.refs.length > place.refs.length
  const compare = (target: Comparison) => compareParts(target, at, flow, before, after)
  if (isComponent) compareOnce(comparison, at, flow, compare)
  else compare(comparison)
}

const compareParts: Compare = (comparison, at, flow, before, after) => {
  const shared = partsOf(before).filter(($ref) => partsOf(after).includes($ref))
  const [inParts, inWhole] = [trialOf(comparison), trialOf(comparison)]
  for (const $ref of shared) compareSchemas(inParts, at, flow, { $ref }, { $ref })
  compareWhole(inWhole, at, flow, before, after)
  for (const found of inWhole.breaks.values())
    record(comparison, [...inParts.breaks.values()].find((part) => isSame(part, found)) ?? found)
}

/** The components that `allOf` puts together. */
const partsOf = (schema: unknown) =>
  [asObject(schema).allOf].flat().flatMap((part) => asText(asObject(part).$ref) ?? [])

/** A break in a component that `allOf` refers to is reported there, once for all schemas that refer to it. */
const isSame = (part: Break, whole: Break) =>
  part.problem === whole.problem && lastStep(part) === lastStep(whole)

const lastStep = ({ place }: Break) => place.split(' > ').at(-1)

const compareWhole: Compare = (comparison, at, flow, before, after) => {
  const [left, right] = [effectiveSchema(comparison.before, before), effectiveSchema(comparison.after, after)]
  const [leftVariants, rightVariants] = [variantsOf(left), variantsOf(right)]
  if (leftVariants.length > 0 !== rightVariants.length > 0)
    return compareVariants(comparison, at, flow, wholeVariants(left), wholeVariants(right))
  compareVariants(comparison, at, flow, leftVariants, rightVariants)
  compareFields(comparison, at, flow, left, right)
  for (const [key, old, current] of pairs(left, right)) {
    if (!STRUCTURE.has(key)) compareConstraint(comparison, at, flow, key, old, current)
  }
}

/** The schemas of `oneOf` and `anyOf`. */
const variantsOf = ({ oneOf, anyOf }: Json) =>
  [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))

/** The variants of a schema as whole schemas. A schema without variants is its only one. */
function wholeVariants(schema: Json): unknown[] {
  const { oneOf: _oneOf, anyOf: _anyOf, ...rest } = schema
  const variants = variantsOf(schema)
  if (variants.length === 0) return [rest]
  return Object.keys(rest).length === 0 ? variants : variants.map((variant) => ({ allOf: [rest, variant] }))
}

/**
 * Every variant that the service accepted must still be accepted by some variant, and every variant that it
 * sends must have been allowed by some variant.
 */
function compareVariants(
  comparison: Comparison,
  at: Place,
  flow: Flow,
  before: unknown[],
  after: unknown[],
): void {
  const compare = (target: Comparison, old: unknown, current: unknown) =>
    compareSchemas(target, at, flow, old, current)
  const fits = (old: unknown, current: unknown) => {
    const trial = trialOf(comparison)
    compare(trial, old, current)
    return trial.breaks.size === 0
  }
  const [judged, others] = flow === 'received' ? [before, after] : [after, before]
  for (const [index, variant] of judged.entries()) {
    const ordered = (other: unknown): [unknown, unknown] =>
      flow === 'received' ? [variant, other] : [other, variant]
    if (others.some((other) => fits(...ordered(other)))) continue
    const counterpart =
      others.find((other) => nameOf(other) !== undefined && nameOf(other) === nameOf(variant)) ??
      (before.length === after.length ? others[index] : undefined)
    if (counterpart !== undefined) compare(comparison, ...ordered(counterpart))
    else {
      const name = nameOf(variant) ?? `number ${index + 1}`
      const edit = flow === 'received' ? 'is no longer accepted' : 'is new in what the service sends'
      report(comparison, at, `the variant \`${name}\` ${edit}`, ADVICE[flow])
    }
  }
}

const nameOf = (schema: unknown) => asText(asObject(schema).$ref ?? asObject(schema).title)

function compareFields(comparison: Comparison, at: Place, flow: Flow, left: Json, right: Json): void {
  const [wasRequired, isRequired] = [requiredIn(left), requiredIn(right)]
  for (const [name, before, after] of pairs(left.properties, right.properties)) {
    const place = { ...into(at, name), fields: [...at.fields, name] }
    if (after === undefined) reportRemoved(comparison, place, flow)
    else if (before !== undefined) compareSchemas(comparison, place, flow, before, after)
    else if (flow === 'sent' && left.additionalProperties === false)
      report(comparison, place, 'the field is new in a closed body that the service sends', ADVICE.sent)
    else if (flow === 'sent' && left.additionalProperties !== undefined)
      compareSchemas(comparison, place, flow, left.additionalProperties, after)
  }
  const isRemoved = (name: string) =>
    name in asObject(left.properties) && !(name in asObject(right.properties))
  if (flow === 'received')
    for (const name of isRequired.filter((each) => !wasRequired.includes(each)))
      report(
        comparison,
        into(at, name),
        'the field is now required',
        'Keep it optional, with a default effect.',
      )
  else
    for (const name of wasRequired.filter((each) => !isRequired.includes(each)))
      if (!isRemoved(name))
        report(comparison, into(at, name), 'the field is no longer always present', 'Keep it in `required`.')
}

const requiredIn = ({ required }: Json) => (Array.isArray(required) ? (required as string[]) : [])

function reportRemoved(comparison: Comparison, at: Place, flow: Flow): void {
  const problem =
    flow === 'received'
      ? 'the field is gone: callers still send it'
      : 'the field is gone from what the service sends'
  report(comparison, at, problem, 'Keep the field. A renamed field is a removed field and a new one.')
}

function compareConstraint(
  comparison: Comparison,
  at: Place,
  flow: Flow,
  key: string,
  before: unknown,
  after: unknown,
): void {
  const isNested = (value: unknown) => typeof value === 'object' && value !== null
  if (['items', 'additionalProperties'].includes(key) && isNested(before) && isNested(after))
    return compareSchemas(comparison, into(at, key), flow, before, after)
  if (key === 'default') return compareDefault(comparison, at, flow, before, after)
  if (key === 'enum' && isOpen(at)) return compareOpenList(comparison, at, before, after)
  const change = compareKeyword(key, before, after)
  if (isBreaking(flow, change))
    report(comparison, at, describe(flow, change!, key, before, after), ADVICE[flow])
}

const compareDefault: Compare = (comparison, at, flow, before, after) => {
  if (flow === 'sent' || isDeepStrictEqual(before, after)) return
  const edit = `the default was ${show(before)} and is ${show(after)}`
  report(comparison, at, `${edit}: a request without it has another effect`, 'Keep the default.')
}

const isOpen = ({ subject, steps, fields, openField }: Place) =>
  (openField !== undefined && fields.join('.') === openField) ||
  (steps.length === 0 && OPEN_COMPONENTS.has(subject))

/** An open list may grow. Its values stay, because callers have code for them. */
function compareOpenList(comparison: Comparison, at: Place, before: unknown, after: unknown): void {
  if (!Array.isArray(before)) return
  const lost = before.filter((value) => !(Array.isArray(after) && after.includes(value)))
  if (lost.length > 0)
    report(
      comparison,
      at,
      `${lost.map((value) => `\`${value}\``).join(', ')} is no longer listed`,
      'Callers have code for it. Keep it.',
    )
}
