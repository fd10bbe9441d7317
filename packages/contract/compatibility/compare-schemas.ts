// Compares what two JSON schemas allow. Two spellings of one schema must compare as equal, so a schema is read
// as the list of its parts: everything that `$ref` and `allOf` put together. A change of a keyword that this
// comparison does not know breaks. Recursive schemas end: a pair of schemas that is being compared, or was
// compared for the same operation, is not compared again.
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, nameOf, refsIn, targetOf } from '../references.ts'

/** The service receives requests, and sends responses and events. */
export type Flow = 'received' | 'sent'

/** A change that breaks callers. The steps lead to it from its component, or from the part compared. */
export type Finding = {
  component?: string
  steps: readonly string[]
  problem: string
  advice: string
  /** A part was removed that was not deprecated, or before its sunset. */
  isEarly?: boolean
}

/** The two documents without texts, the references whose targets differ, and what was compared so far. */
export type Comparison = {
  before: Json
  after: Json
  changed: ReadonlySet<string>
  /** The parts with their texts. */
  originals: WeakMap<object, Json>
  /** The day of the comparison, such as `2026-11-26`. */
  today: string
  seen: Set<string>
  /** Pairs of variants that do not fit each other. */
  unfit: Set<string>
  depth: number
}

type Schemas = readonly unknown[]

/** A top-level field of a body whose values may grow, such as `error`. `HERE`: the values of this schema. */
type OpenField = string | undefined
const HERE = ''

/** Lists of values that grow without notice: callers must expect values that they do not know. */
const OPEN_COMPONENTS = new Set(['ErrorCode', 'EventType'])

const [MAX_DEPTH, MAX_PAIRS] = [200, 100_000]
const ADVICE = {
  received: 'Accept everything that the published document accepts.',
  sent: 'Send only what the published document allows. Put new information in a new operation or header.',
}

export const asObject = (value: unknown): Json => (isObject(value) ? value : {})
export const asList = (value: unknown): Schemas => (Array.isArray(value) ? (value as unknown[]) : [])
export const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
export const includes = (values: Schemas, value: unknown) =>
  values.some((each) => isDeepStrictEqual(each, value))

/** A value in a message, shortened. */
export function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

/** Pairs the entries of two objects by key. A missing side is undefined. */
export function pairs<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): [key: string, before: Value | undefined, after: Value | undefined][] {
  const keys = new Set([before, after].flatMap(Object.keys))
  return [...keys].map((key) => {
    const [old, current] = [before, after].map((from) => (Object.hasOwn(from, key) ? from[key] : undefined))
    return [key, old, current]
  })
}

export const breakAt = (problem: string, advice: string, steps: readonly string[] = []): Finding[] => [
  { steps, problem, advice },
]

/** A removed part. Callers had time to stop using it if its `x-sunset` has passed. */
export function removalOf(
  { originals, today }: Comparison,
  parts: Schemas,
  problem: string,
  advice: string,
  steps: readonly string[] = [],
): Finding[] {
  const notices = parts.map((part) => originals.get(Object(part)) ?? {}).filter((part) => part.deprecated)
  const sunset = notices.map((part) => asText(part['x-sunset'])).find(Boolean)
  if (sunset !== undefined && sunset <= today) return breakAt(`${problem}, after its sunset`, advice, steps)
  const edit = `${problem}, ${sunset === undefined ? 'and was not deprecated' : `before its sunset on ${sunset}`}`
  return [{ steps, problem: edit, advice: `${advice} ${TO_REMOVE}`, isEarly: true }]
}
const TO_REMOVE = 'To remove it, publish it as deprecated, and wait for its sunset.'

/** The change of a part that has no comparison of its own. */
export function unknownChange(key: string, before: unknown, after: unknown, advice: string): Finding[] {
  const edit = isDeepStrictEqual(before, after)
    ? `what \`${key}\` refers to`
    : `\`${key}\` was ${show(before)} and is ${show(after)}`
  return breakAt(`${edit}: changed in a way that this comparison does not know`, advice)
}

/** The findings of a part, seen from what holds the part. */
export const within = (step: string, findings: Finding[]) =>
  findings.map((each) => (each.component === undefined ? { ...each, steps: [step, ...each.steps] } : each))

/** Reports the breaks in a component under its name. */
export const inComponent = (component: string | undefined, findings: Finding[]) =>
  component === undefined ? findings : findings.map((each) => ({ component, ...each }))

/** The name of the component to which both documents refer. */
export function sharedName(before: unknown, after: unknown): string | undefined {
  const $ref = asText(asObject(before).$ref)
  const isShared = $ref === asObject(after).$ref && /^#\/components\/[^/]+\/[^/]+$/.test($ref ?? '')
  return isShared ? nameOf($ref!) : undefined
}

/** Whether two parts of the documents, with all that they refer to, are the same. */
export const isSame = ({ changed }: Comparison, before: unknown, after: unknown) =>
  isDeepStrictEqual(before, after) && !refsIn(before).some((ref) => changed.has(ref))

/** Compares two lists of schemas that hold together. An empty list allows every value. */
export function compareSchemas(
  comparison: Comparison,
  flow: Flow,
  before: Schemas,
  after: Schemas,
  open?: OpenField,
): Finding[] {
  if (isSame(comparison, before, after)) return []
  const isSingle = before.length === 1 && after.length === 1
  const component = isSingle ? sharedName(before[0], after[0]) : undefined
  const field = OPEN_COMPONENTS.has(component ?? '') ? HERE : open
  const [old, current] = [partsOf(comparison.before, before), partsOf(comparison.after, after)]
  const pair = pairOf(flow, old, current, field)
  if (comparison.seen.has(pair)) return []
  comparison.seen.add(pair)
  const depth = comparison.depth + 1
  if (depth > MAX_DEPTH || comparison.seen.size + comparison.unfit.size > MAX_PAIRS)
    return breakAt('changed, but too deep or too large to compare', 'Publish smaller changes one by one.')
  return inComponent(component, compareParts({ ...comparison, depth }, flow, old, current, field))
}

/** A number for each part, so that a pair of lists of parts can be a key. */
const ids = new WeakMap<Json, number>()
let newestId = 0
function idOf(part: Json): number {
  const id = ids.get(part) ?? ++newestId
  ids.set(part, id)
  return id
}

const pairOf = (flow: Flow, before: Json[], after: Json[], open: OpenField) =>
  [
    flow,
    open,
    ...[before, after].map((parts) =>
      parts
        .map(idOf)
        .toSorted((a, b) => a - b)
        .join('+'),
    ),
  ].join(' ')

// Reading schemas

const NOTHING: Json = { not: {} }
/** What a variant is if the schema with the variants is closed. */
const CLOSED: Json = { unevaluatedProperties: false }

/** All schemas behind `$ref` and `allOf`, each once, without those that allow everything. */
function partsOf(document: Json, schemas: Schemas): Json[] {
  const found = new Set<Json>()
  const visit = (schema: unknown): void => {
    const part = schema === false ? NOTHING : asObject(schema)
    if (found.has(part)) return
    found.add(part)
    if (typeof part.$ref === 'string') visit(targetOf(document, part.$ref))
    asList(part.allOf).forEach(visit)
  }
  schemas.forEach(visit)
  return [...found].filter((part) => Object.keys(keywordsOf(document, part)).length > 0)
}

/** Keywords that are followed, or say nothing of values. */
const FOLLOWED = /^(allOf|\$(defs|comment|anchor))$/

/** Keywords that say nothing with this value. */
const DEFAULTS = new Map<string, unknown>([
  ...['minLength', 'minItems', 'minProperties'].map((key) => [key, 0] as const),
  ...['uniqueItems', 'readOnly', 'writeOnly'].map((key) => [key, false] as const),
  ...['additionalProperties', 'unevaluatedProperties', 'items'].map((key) => [key, true] as const),
])
const isDefault = (key: string, value: unknown) =>
  DEFAULTS.get(key) === (isDeepStrictEqual(value, {}) ? true : value)

const known = new WeakMap<Json, Json>()

/** The keywords of a part in one spelling. */
function keywordsOf(document: Json, part: Json): Json {
  const found = known.get(part) ?? readKeywords(document, part)
  known.set(part, found)
  return found
}

function readKeywords(document: Json, { const: constant, type, ...part }: Json): Json {
  const isFollowed = (key: string) =>
    key === '$ref' && targetOf(document, asText(part.$ref) ?? '') !== undefined
  const own = Object.entries(part).filter(
    ([key, value]) => !FOLLOWED.test(key) && !isFollowed(key) && !isDefault(key, value),
  )
  const { exclusiveMinimum: low, exclusiveMaximum: high, ...rest } = Object.fromEntries(own)
  const isInteger = type === 'integer'
  const { minimum = -Infinity, maximum = Infinity, enum: values = [constant] } = rest
  return {
    ...rest,
    ...(type !== undefined && { type: [type].flat() }),
    ...(constant !== undefined && { enum: commonLimit('enum', values, [constant]) }),
    // An integer has no exclusive bounds.
    ...(low !== undefined &&
      (isInteger
        ? { minimum: commonLimit('minimum', minimum, Math.floor(Number(low)) + 1) }
        : { exclusiveMinimum: low })),
    ...(high !== undefined &&
      (isInteger
        ? { maximum: commonLimit('maximum', maximum, Math.ceil(Number(high)) - 1) }
        : { exclusiveMaximum: high })),
  }
}

/** What several parts allow together. */
type Whole = {
  /** The schemas of each field. A field that a closed part does not name is left out. */
  fields: Record<string, Schemas>
  required: string[]
  /** The schemas of further fields. */
  further: Schemas
  items: Schemas
  /** Each `oneOf` and `anyOf`, as the only keyword of an object. */
  choices: Json[]
  /** Types, values and bounds. */
  limits: Json
  /** The other keywords of each part. */
  rest: Json[]
}

const STRUCTURE = /^(properties|required|additionalProperties|items|oneOf|anyOf)$/
const BOUND = /^(exclusiveM|m)(in|ax)imum$|^(min|max)(Length|Items|Properties)$/

function wholeOf(document: Json, parts: Json[]): Whole {
  const all = parts.map((part) => keywordsOf(document, part))
  const valuesOf = (key: string) => all.flatMap((part) => (key in part ? [part[key]] : []))
  const names = new Set(valuesOf('properties').flatMap((properties) => Object.keys(asObject(properties))))
  const fieldIn = (part: Json, name: string): Schemas => {
    const properties = asObject(part.properties)
    if (Object.hasOwn(properties, name)) return [properties[name]]
    return 'additionalProperties' in part && !('patternProperties' in part) ? [part.additionalProperties] : []
  }
  const fields = [...names].map((name) => [name, all.flatMap((part) => fieldIn(part, name))] as const)
  const limits: Record<string, unknown> = {}
  const rest = all.map((part) => {
    const others = Object.entries(part).filter(([key, value]) => {
      // `items` beside `prefixItems` is not for all items.
      if (key === 'items' && 'prefixItems' in part) return true
      const isLimit = /^(type|enum)$/.test(key)
        ? Array.isArray(value)
        : BOUND.test(key) && Number.isFinite(value)
      if (isLimit) limits[key] = key in limits ? commonLimit(key, limits[key], value) : value
      return !isLimit && !STRUCTURE.test(key)
    })
    return Object.fromEntries(others)
  })
  if (Array.isArray(limits.enum)) {
    limits.enum = limits.enum.filter(
      (value) => limits.type === undefined || allows(asList(limits.type), typeOf(value)),
    )
    limits.type = [...new Set(asList(limits.enum).map(typeOf))]
  }
  return {
    fields: Object.fromEntries(fields.filter(([, schemas]) => !schemas.includes(false))),
    required: valuesOf('required').flatMap(asList).map(String),
    further: valuesOf('additionalProperties'),
    items: all.flatMap((part) => ('items' in part && !('prefixItems' in part) ? [part.items] : [])),
    choices: ['oneOf', 'anyOf'].flatMap((key) => valuesOf(key).map((list) => ({ [key]: asList(list) }))),
    limits,
    rest: rest.filter((each) => Object.keys(each).length > 0),
  }
}

/** What holds where both limits hold. */
function commonLimit(key: string, left: unknown, right: unknown): unknown {
  if (BOUND.test(key)) return Math[isUpper(key) ? 'min' : 'max'](Number(left), Number(right))
  const [a, b, has] = [asList(left), asList(right), membership(key)]
  return [...new Set([...a.filter((each) => has(b, each)), ...b.filter((each) => has(a, each))])]
}

const isUpper = (key: string) => /^(max|exclusiveMax)/.test(key)
const membership = (key: string) => (key === 'type' ? allows : includes)

/** Whether a type is among the types. An integer is a number. */
const allows = (types: Schemas, type: unknown) =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

// Comparing what they allow

function compareParts(
  comparison: Comparison,
  flow: Flow,
  before: Json[],
  after: Json[],
  open: OpenField,
): Finding[] {
  const [wasNothing, isNothing] = [before.includes(NOTHING), after.includes(NOTHING)]
  if (wasNothing || isNothing) {
    if (wasNothing === isNothing || isNothing === (flow === 'sent')) return []
    return breakAt(
      isNothing ? 'no value is accepted any more' : 'values are possible that were not',
      ADVICE[flow],
    )
  }
  const [left, right] = [wholeOf(comparison.before, before), wholeOf(comparison.after, after)]
  const schemas = (name: string, old: Schemas, current: Schemas, field?: OpenField) =>
    within(name, compareSchemas(comparison, flow, old, current, field))
  const isAlike = left.choices.length === right.choices.length
  if (!isAlike && left.choices.length + right.choices.length > 1)
    return unknownChange('oneOf', left.choices, right.choices, ADVICE[flow])
  const overlap = compareOverlap(comparison, flow, [before, left], [after, right])
  if (!isAlike) {
    const variants = [
      wholeVariants(comparison.before, before),
      wholeVariants(comparison.after, after),
    ] as const
    return [...overlap, ...compareVariants(comparison, flow, ...variants, open)]
  }
  const closing = left.rest.some((part) => part.unevaluatedProperties === false) ? [CLOSED] : []
  const found: [key: string, Finding[]][] = [
    ['oneOf', overlap],
    ...left.choices.map((choice, index): [string, Finding[]] => {
      const [old, current] = [choice, right.choices[index]!].map((each) =>
        Object.values(each)
          .flatMap(asList)
          .map((variant) => [variant, ...closing]),
      )
      return ['oneOf', compareVariants(comparison, flow, old!, current!, open)]
    }),
    ...pairs(left.fields, right.fields).map(([name, old, current]): [string, Finding[]] => {
      if (old && current) return [name, schemas(name, old, current, open === name ? HERE : undefined)]
      return [
        name,
        old ? goneField(comparison, flow, name, old) : newField(comparison, flow, left, name, current!),
      ]
    }),
    ...compareRequired(flow, left, right),
    ['items', schemas('items', left.items, right.items)],
    ['additionalProperties', schemas('additionalProperties', left.further, right.further)],
    ...pairs(left.limits, right.limits).map(([key, old, current]): [string, Finding[]] => [
      key,
      key === 'enum' && open === HERE ? compareOpenList(old, current) : compareLimit(flow, key, old, current),
    ]),
    ...compareRest(comparison, flow, left, right),
  ]
  return found.flatMap(([key, findings]) => {
    if (findings.length === 0) return []
    const owners = new Set([
      ...ownersOf(comparison.before, before, key),
      ...ownersOf(comparison.after, after, key),
    ])
    return inComponent(owners.size === 1 ? [...owners][0] : undefined, findings)
  })
}

/** The components of the parts that say something of a field or keyword: the only one is what has changed. */
function ownersOf(document: Json, parts: Json[], key: string): (string | undefined)[] {
  const schemas = asObject(asObject(document.components).schemas)
  return parts
    .filter((part) => {
      const own = keywordsOf(document, part)
      const isSaid = (holder: unknown) => Object.hasOwn(asObject(holder), key)
      return isSaid(own) || isSaid(own.properties) || asList(own.required).includes(key)
    })
    .map((part) => Object.keys(schemas).find((name) => schemas[name] === part))
}

/** The variants of a schema, each with the other parts. A schema without variants is its only one. */
function wholeVariants(document: Json, parts: Json[]): Schemas[] {
  const variantsOf = (part: Json) => {
    const { oneOf, anyOf } = keywordsOf(document, part)
    return oneOf ?? anyOf
  }
  const choice = parts.find((part) => variantsOf(part) !== undefined)
  if (!choice) return [parts]
  const others = parts.map((part) => (part === choice ? withoutVariants(document, part) : part))
  return asList(variantsOf(choice)).map((variant) => [variant, ...others])
}

/** One object for each part, so that a comparison of it ends. */
const partsWithoutVariants = new WeakMap<Json, Json>()
function withoutVariants(document: Json, part: Json): Json {
  const { oneOf: _oneOf, anyOf: _anyOf, ...others } = keywordsOf(document, part)
  const found = partsWithoutVariants.get(part) ?? others
  partsWithoutVariants.set(part, found)
  return found
}

/** Every variant that the service accepted must still fit some variant, and so must every one that it sends. */
function compareVariants(
  comparison: Comparison,
  flow: Flow,
  before: readonly Schemas[],
  after: readonly Schemas[],
  open: OpenField,
): Finding[] {
  const [judged, others] = flow === 'received' ? [before, after] : [after, before]
  const nameOfVariant = ([first]: Schemas) =>
    asText(asObject(first).$ref) ?? asText(comparison.originals.get(Object(first))?.title)
  return judged.flatMap((variant, index) => {
    const ordered = (other: Schemas): [Schemas, Schemas] =>
      flow === 'received' ? [variant, other] : [other, variant]
    if (others.some((other) => fits(comparison, flow, ...ordered(other), open))) return []
    const name = nameOfVariant(variant)
    const counterpart =
      others.find((other) => name !== undefined && nameOfVariant(other) === name) ??
      (before.length === after.length ? others[index] : undefined)
    if (counterpart) return compareSchemas(comparison, flow, ...ordered(counterpart), open)
    const edit = flow === 'received' ? 'is no longer accepted' : 'is new in what the service sends'
    return breakAt(`the variant \`${name ?? `number ${index + 1}`}\` ${edit}`, ADVICE[flow])
  })
}

/**
 * `oneOf` refuses a value that fits two of its variants: the service does in a request, a caller in a response.
 * `compareVariants` does not see that. So if a `oneOf` is new or changed, its variants must exclude each other.
 */
function compareOverlap(
  comparison: Comparison,
  flow: Flow,
  before: readonly [Json[], Whole],
  after: readonly [Json[], Whole],
): Finding[] {
  const [old, current] = [before[1].choices, after[1].choices]
  if (isSame(comparison, old, current)) return []
  const [document, [parts, { choices }], advice] =
    flow === 'received'
      ? ([comparison.after, after, TO_EXCLUDE] as const)
      : ([comparison.before, before, ADVICE.sent] as const)
  const isExclusive = choices.every(({ oneOf }) => excludeEachOther(document, parts, asList(oneOf)))
  return isExclusive ? [] : unknownChange('oneOf', old, current, advice)
}
const TO_EXCLUDE =
  'Write `anyOf`, or variants that exclude each other: of different types, or with a different `const` of one required field.'

/** Whether no value fits two of the variants, as far as types and values show. The parts hold for all variants. */
function excludeEachOther(document: Json, parts: Json[], variants: Schemas): boolean {
  const limitsOf = (schemas: Schemas) => wholeOf(document, partsOf(document, schemas)).limits
  const areApart = (left: Json, right: Json) =>
    ['type', 'enum'].some(
      (key) => key in left && key in right && asList(commonLimit(key, left[key], right[key])).length === 0,
    )
  const exclude = (left: Whole, right: Whole) =>
    areApart(left.limits, right.limits) ||
    (isDeepStrictEqual(left.limits.type, ['object']) &&
      pairs(left.fields, right.fields).some(
        ([name, one, other]) =>
          one && other && left.required.includes(name) && areApart(limitsOf(one), limitsOf(other)),
      ))
  const wholes = variants.map((variant) =>
    wholeVariants(document, partsOf(document, [variant])).map((each) =>
      wholeOf(document, [...partsOf(document, each), ...parts]),
    ),
  )
  return wholes.every((some, index) =>
    wholes
      .slice(index + 1)
      .flat()
      .every((right) => some.every((left) => exclude(left, right))),
  )
}

/** A trial. What it assumes of recursive schemas counts only if it succeeds. */
function fits(comparison: Comparison, flow: Flow, before: Schemas, after: Schemas, open: OpenField): boolean {
  const pair = pairOf(flow, partsOf(comparison.before, before), partsOf(comparison.after, after), open)
  if (comparison.unfit.has(pair)) return false
  const seen = new Set(comparison.seen)
  const isFit = compareSchemas({ ...comparison, seen }, flow, before, after, open).length === 0
  if (isFit) for (const each of seen) comparison.seen.add(each)
  else comparison.unfit.add(pair)
  return isFit
}

function goneField(comparison: Comparison, flow: Flow, name: string, old: Schemas): Finding[] {
  const problem =
    flow === 'received'
      ? 'the field was removed: callers still send it'
      : 'the field was removed from what the service sends'
  return removalOf(
    comparison,
    old,
    problem,
    'Keep the field. A renamed field is a removed field and a new one.',
    [name],
  )
}

function newField(comparison: Comparison, flow: Flow, left: Whole, name: string, after: Schemas): Finding[] {
  const isClosed = [...left.further, ...left.rest.map((part) => part.unevaluatedProperties)].includes(false)
  if (isClosed && flow === 'sent')
    return breakAt('the field is new in a closed body that the service sends', ADVICE.sent, [name])
  const patterns = left.rest.flatMap((part) => Object.entries(asObject(part.patternProperties)))
  const matching = patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name))
  // What the service sends still fits the patterns, because they stay.
  if (matching.length > 0 && flow === 'received') {
    const former = matching.map(([, schema]) => schema)
    return within(name, compareSchemas(comparison, flow, former, after))
  }
  if (isClosed || left.further.length === 0) return []
  return within(name, compareSchemas(comparison, flow, left.further, after))
}

function compareRequired(flow: Flow, left: Whole, right: Whole): [key: string, Finding[]][] {
  const [some, others] = flow === 'received' ? [right, left] : [left, right]
  const names = some.required.filter((name) => !others.required.includes(name))
  if (flow === 'received')
    return names.map((name) => [
      name,
      breakAt('the field is now required', 'Keep it optional, with a default effect.', [name]),
    ])
  const isGone = (name: string) => Object.hasOwn(left.fields, name) && !Object.hasOwn(right.fields, name)
  return names
    .filter((name) => !isGone(name))
    .map((name) => [name, breakAt('the field is no longer always present', 'Keep it in `required`.', [name])])
}

function compareLimit(flow: Flow, key: string, before: unknown, after: unknown): Finding[] {
  const judge = (isNarrower: boolean) => judgeKeyword(flow, isNarrower, key, before, after)
  if (isDeepStrictEqual(before, after)) return []
  if (before === undefined || after === undefined) return judge(before === undefined)
  if (BOUND.test(key)) return judge(isUpper(key) === Number(after) < Number(before))
  const [old, current, has] = [asList(before), asList(after), membership(key)]
  const hasLost = old.some((value) => !has(current, value))
  const hasGained = current.some((value) => !has(old, value))
  // No value at all is a contradiction between keywords, such as a `type` that none of the values has.
  if ((hasLost && hasGained) || current.length === 0) return judge(flow === 'received')
  return hasLost || hasGained ? judge(hasLost) : []
}

/** The service may accept more than before, and may send less. */
function judgeKeyword(
  flow: Flow,
  isNarrower: boolean,
  key: string,
  before: unknown,
  after: unknown,
): Finding[] {
  if (isNarrower === (flow === 'sent')) return []
  const effect = isNarrower
    ? 'the service rejects values that it accepted'
    : 'the service can send values that callers do not expect'
  return breakAt(`\`${key}\` was ${show(before)} and is ${show(after)}: ${effect}`, ADVICE[flow])
}

/** An open list may grow. Its values stay, because callers have code for them. */
function compareOpenList(before: unknown, after: unknown): Finding[] {
  const lost = asList(before).filter((value) => !includes(asList(after), value))
  const problem = `${lost.map((value) => `\`${String(value)}\``).join(', ')} is no longer listed`
  return lost.length > 0 ? breakAt(problem, 'Callers have code for it. Keep it.') : []
}

/** Keywords that allow fewer values where they are present. */
const NARROWING =
  /^(format|pattern|not|multipleOf|uniqueItems|contains|propertyNames|dependent\w+|content\w+|unevaluatedProperties)$/

function compareRest(
  comparison: Comparison,
  flow: Flow,
  left: Whole,
  right: Whole,
): [key: string, Finding[]][] {
  const without = (some: Json[], others: Json[]) =>
    some.filter((part) => !others.some((other) => isSame(comparison, part, other)))
  const [old, current] = [without(left.rest, right.rest), without(right.rest, left.rest)]
  if (old.length > 1 || current.length > 1) return [['', unknownChange('allOf', old, current, ADVICE[flow])]]
  return pairs(old[0] ?? {}, current[0] ?? {}).map(([key, before, after]) => {
    if (isSame(comparison, before, after) || (key === 'default' && flow === 'sent')) return [key, []]
    if (key === 'default') {
      const edit = `the default was ${show(before)} and is ${show(after)}`
      return [key, breakAt(`${edit}: a request without it has another effect`, 'Keep the default.')]
    }
    if (NARROWING.test(key) && (before === undefined || after === undefined))
      return [key, judgeKeyword(flow, before === undefined, key, before, after)]
    return [key, unknownChange(key, before, after, ADVICE[flow])]
  })
}
