// Compares what two OpenAPI documents promise to a caller. What has no comparison here must stay as it is.
import { isDeepStrictEqual } from 'node:util'
import { find, isObject, type Json, refsIn, targetOf } from '../references.ts'
import {
  asList,
  asObject,
  asText,
  breakAt,
  compareSchemas,
  type Comparison,
  type Finding,
  type Flow,
  includes,
  inComponent,
  isSame,
  pairs,
  removalOf,
  sharedName,
  show,
  unknownChange,
  within,
} from './compare-schemas.ts'

/** A change that a caller which follows the published document can notice. */
export type Break = {
  /** What the changelog must name: a component, an operationId or an event. */
  subject: string
  place: string
  problem: string
  advice: string
  /** A part was removed that was not deprecated, or before its sunset. */
  isEarly?: boolean
  /** The operations and events that the change reaches. */
  operations: string[]
}

const KEEP = 'Keep it as published.'
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace', 'query']

/** What in the second document breaks a caller that follows the first. */
export function findBreaks(
  before: Json,
  after: Json,
  today = new Date().toISOString().slice(0, 10),
): Break[] {
  const originals = new WeakMap<object, Json>()
  const [old, current] = [before, after].map((each) => asObject(withoutTexts(each, originals)))
  const state = {
    before: old!,
    after: current!,
    changed: changedRefs(old!, current!),
    originals,
    today,
    unfit: new Set<string>(),
    depth: 0,
  }
  const breaks = new Map<string, Break>()
  const collect = (operation: string, compare: (comparison: Comparison) => Finding[]) => {
    for (const { component: subject = operation, steps, ...finding } of compare({
      ...state,
      seen: new Set(),
    })) {
      const place = [subject, ...steps].join(' > ')
      const key = `${place} ${finding.problem}`
      const operations = [...new Set([...(breaks.get(key)?.operations ?? []), operation])]
      breaks.set(key, { subject, place, ...finding, operations })
    }
  }
  compareOperations(state, 'paths', collect)
  compareOperations(state, 'webhooks', collect)
  const schemesOf = ({ components }: Json) => asObject(asObject(components).securitySchemes)
  for (const [name, left, right] of pairs(schemesOf(old!), schemesOf(current!)))
    collect(name, () => (left === undefined ? [] : within('security scheme', compareScheme(left, right))))
  const componentsOf = pairs(asObject(before.components), asObject(after.components))
  for (const [left, right] of [
    [operationsOf(before), operationsOf(after)],
    ...componentsOf.map(([, ...section]) => section.map(asObject)),
  ])
    for (const [name, ...parts] of pairs(left!, right!)) collect(name, () => compareSunsets(...parts, today))
  collect('servers', (comparison) => compareServers(comparison, old!, current!))
  for (const [item, left, right] of pairs(lifetimesOf(before), lifetimesOf(after)))
    collect('Lifetimes', () => compareLifetime(item, left, right, Object.keys(lifetimesOf(after)).length > 0))
  collect('document', (comparison) => compareRest(comparison, old!, current!, KNOWN_OF_DOCUMENT))
  return [...breaks.values()]
}
const KNOWN_OF_DOCUMENT = ['openapi', 'info', 'servers', 'security', 'paths', 'webhooks', 'components']

type Collect = (operation: string, compare: (comparison: Comparison) => Finding[]) => void
type State = Omit<Comparison, 'seen'>

// Texts and references

/** `bearerFormat` is a hint for people. */
const TEXTS =
  /^(title|description|summary|examples?|deprecated|externalDocs|tags|info|bearerFormat|x-(?!max-bytes$|item-schema$).*)$/
/** Objects whose keys are names, and data that only looks like schemas. */
const NAMES = new RegExp(
  `^(${[
    'properties|patternProperties|dependentSchemas|\\$defs|paths|webhooks|callbacks|responses|headers|content',
    'schemas|parameters|requestBodies|securitySchemes|links|pathItems|encoding|variables|flows|mapping',
  ].join('|')})$`,
)
const DATA = /^(enum|const|default|security|dependentRequired)$/

/** A copy of a document without what no program reads. */
export function withoutTexts(
  value: unknown,
  originals = new WeakMap<object, Json>(),
  hasNames = false,
): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each, originals))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => hasNames || !TEXTS.test(key))
  const copy = Object.fromEntries(
    kept.map(([key, inner]) => {
      if (!hasNames && DATA.test(key)) return [key, inner]
      if (!hasNames && key === 'scopes') return [key, Object.keys(asObject(inner)).toSorted()]
      return [key, withoutTexts(inner, originals, !hasNames && NAMES.test(key))]
    }),
  )
  originals.set(copy, value)
  return copy
}

/** The references whose targets differ, directly or through other references, or that are no JSON pointers. */
function changedRefs(before: Json, after: Json): ReadonlySet<string> {
  const refs = [...new Set(refsIn(before))].map((ref) => {
    const [old, current] = [targetOf(before, ref), targetOf(after, ref)]
    return { ref, isEqual: ref.startsWith('#/') && isDeepStrictEqual(old, current), inner: refsIn(old) }
  })
  const changed = new Set<string>()
  for (let known = -1; known < changed.size;) {
    known = changed.size
    for (const { ref, isEqual, inner } of refs)
      if (!isEqual || inner.some((each) => changed.has(each))) changed.add(ref)
  }
  return changed
}

/** What the references of two parts lead to, reported under the component if both name the same one. */
function through(
  { before, after }: Comparison,
  old: unknown,
  current: unknown,
  compare: (left: Json, right: Json) => Finding[],
): Finding[] {
  const [left, right] = [find(before, old) ?? asObject(old), find(after, current) ?? asObject(current)]
  return inComponent(sharedName(old, current), compare(left, right))
}

/** Compares the parts of an object that have no comparison of their own: each must stay. */
function compareRest(comparison: Comparison, before: Json, after: Json, known: readonly string[]): Finding[] {
  return pairs(before, after).flatMap(([key, old, current]) => {
    const isAddition = old === undefined && ['links', 'callbacks'].includes(key)
    if (known.includes(key) || isAddition || isSame(comparison, old, current)) return []
    return unknownChange(key, old, current, KEEP)
  })
}

// Operations and events

const nameOfOperation = (group: 'paths' | 'webhooks', path: string, method: string, { operationId }: Json) =>
  group === 'webhooks' ? path : (asText(operationId) ?? `${method} ${path}`)

function compareOperations(state: State, group: 'paths' | 'webhooks', collect: Collect): void {
  const flows: Flow[] = group === 'paths' ? ['received', 'sent'] : ['sent', 'received']
  for (const [path, before, after] of pairs(asObject(state.before[group]), asObject(state.after[group]))) {
    const [left, right] = [find(state.before, before) ?? {}, find(state.after, after) ?? {}]
    if (after !== undefined)
      collect(path, (each) =>
        before === undefined ? [] : compareRest(each, left, right, [...METHODS, 'parameters']),
      )
    for (const method of METHODS.filter((each) => left[each] !== undefined)) {
      const [old, current] = [asObject(left[method]), asObject(right[method])]
      const address = group === 'paths' ? `${method.toUpperCase()} ${path}` : `the event ${path}`
      const advice = 'Keep it, and add another beside it.'
      collect(nameOfOperation(group, path, method, old), (comparison) => {
        if (right[method] === undefined)
          return removalOf(comparison, [left[method]], `${address} was removed`, advice)
        return [
          ...compareParameters(comparison, flows[0]!, [left, old], [right, current]),
          ...within(
            'request body',
            compareRequestBody(comparison, flows[0]!, old.requestBody, current.requestBody),
          ),
          ...compareResponses(comparison, flows[1]!, asObject(old.responses), asObject(current.responses)),
          ...(group === 'paths' ? compareRequirements(comparison, old, current) : []),
          ...((old.servers ?? current.servers) ? compareServers(comparison, old, current) : []),
          ...compareRest(comparison, old, current, [
            'parameters',
            'requestBody',
            'responses',
            'security',
            'servers',
          ]),
        ]
      })
    }
  }
}

/** The servers of an operation replace those of the document. A published one stays. */
function compareServers(comparison: Comparison, before: Json, after: Json): Finding[] {
  const [old, current] = [
    asList(before.servers ?? comparison.before.servers),
    asList(after.servers ?? comparison.after.servers),
  ]
  return old
    .filter((each) => !includes(current, each))
    .flatMap((each) =>
      breakAt(`the server ${show(asObject(each).url)} was removed`, 'Keep it, and add another beside it.'),
    )
}

/**
 * The published end of a part may move to a later day. A new one is not over: its part could be removed a day after
 * callers see it.
 */
function compareSunsets(before: unknown, after: unknown, today: string): Finding[] {
  return pairs(entriesOf(before), entriesOf(after)).flatMap(([key, old, current]) => {
    if (key !== 'x-sunset') return within(key, compareSunsets(old, current, today))
    const [was, is] = [asText(old), asText(current)]
    if (is === undefined) return []
    if (was !== undefined && is < was)
      return breakAt(`the sunset was ${was} and is ${is}`, 'Keep the day, or write a later one.', [key])
    const problem = `the sunset ${is} is not in the future`
    const advice = 'Write a day that gives callers time.'
    return was === undefined && is <= today ? [{ steps: [key], problem, advice, isEarly: true }] : []
  })
}

/** Parameters have names, and other items of lists only their places. */
export const entriesOf = (value: unknown): Json =>
  Array.isArray(value)
    ? Object.fromEntries(value.map((each, index) => [asText(asObject(each).name) ?? index, each as unknown]))
    : asObject(value)

/** Compares the parameters of an operation, or of an event, which the service sends. */
function compareParameters(comparison: Comparison, flow: Flow, before: Json[], after: Json[]): Finding[] {
  const [left, right] = [parametersOf(comparison.before, before), parametersOf(comparison.after, after)]
  return pairs(left, right).flatMap(([key, old, current]) => {
    const compared = through(comparison, old, current, (was, is) => {
      if (old === undefined)
        return flow === 'received' && is.required === true
          ? breakAt('the parameter is new and required', 'Make it optional, with a default effect.')
          : []
      if (current === undefined) {
        const moved = Object.keys(right).find(
          (other) => !Object.hasOwn(left, other) && other.split(' ')[1] === key.split(' ')[1],
        )
        const problem = moved ? `the parameter moved: it is now ${moved}` : 'the parameter was removed'
        const advice = 'Keep it where it is. A renamed parameter is a removed one and a new one.'
        return removalOf(comparison, [was], problem, advice)
      }
      return [...comparePresence(flow, 'parameter', was, is), ...compareValue(comparison, flow, was, is)]
    })
    return within(key, compared)
  })
}

/** The parameters by location and name. Those of the operation replace those of the path. */
function parametersOf(document: Json, owners: Json[]): Json {
  const all = owners.flatMap(({ parameters }) => asList(parameters))
  return Object.fromEntries(
    all.map((parameter) => {
      const { in: location, name } = find(document, parameter) ?? asObject(parameter)
      const own = location === 'header' ? String(name).toLowerCase() : String(name)
      return [`${String(location)} ${own}`, parameter]
    }),
  )
}

function comparePresence(flow: Flow, noun: string, before: Json, after: Json): Finding[] {
  if (flow === 'received' && before.required !== true && after.required === true)
    return breakAt(`the ${noun} is now required`, 'Keep it optional.')
  return flow === 'sent' && before.required === true && after.required !== true
    ? breakAt(`the ${noun} is no longer always sent`, 'Keep `required: true`.')
    : []
}

/** Compares the value of a parameter or header: its schema or content, and how it is written. */
function compareValue(comparison: Comparison, flow: Flow, left: Json, right: Json): Finding[] {
  const known = ['name', 'in', 'required', 'schema', 'content', ...PERMISSIONS]
  // The text of a value differs: `a,b` by a schema of a list, `["a","b"]` by its content.
  const [was, is] = [left, right].map(({ content }) => (content === undefined ? 'schema' : 'content'))
  if (was !== is) return breakAt(`its value moved from \`${was}\` to \`${is}\``, KEEP)
  return [
    ...compareSchemas(comparison, flow, schemasOf(left), schemasOf(right)),
    ...compareContent(comparison, flow, asObject(left.content), asObject(right.content)),
    ...PERMISSIONS.filter((each) => left[each] === true && right[each] !== true).flatMap((each) =>
      breakAt(`\`${each}\` is no longer true`, 'Keep it.'),
    ),
    ...compareRest(comparison, withStyle(left), withStyle(right), known),
  ]
}
const PERMISSIONS = ['allowReserved', 'allowEmptyValue']
const schemasOf = ({ schema }: Json) => (schema === undefined ? [] : [schema])

/** The defaults of OpenAPI 3.1, section 4.8.12.2.1. */
function withStyle(parameter: Json): Json {
  const isForm = ['query', 'cookie'].includes(String(parameter.in))
  const style = parameter.style ?? (isForm ? 'form' : 'simple')
  return { style, explode: style === 'form', ...parameter }
}

function compareRequestBody(comparison: Comparison, flow: Flow, before: unknown, after: unknown): Finding[] {
  return through(comparison, before, after, (left, right) => {
    if (after === undefined) return before === undefined ? [] : breakAt('the body was removed', 'Keep it.')
    const open = flow === 'sent' ? 'type' : undefined
    return [
      ...comparePresence(flow, 'body', left, right),
      ...(before === undefined
        ? []
        : compareContent(comparison, flow, asObject(left.content), asObject(right.content), open)),
      ...compareRest(comparison, left, right, ['required', 'content']),
    ]
  })
}

/** A body without the defaults of its `encoding` (OpenAPI 3.1, section 4.8.15.1). */
function withEncoding({ encoding, ...media }: Json): Json {
  const fields = Object.entries(asObject(encoding)).map(([name, field]) => {
    const { style = 'form', explode = style === 'form', allowReserved = false, ...rest } = asObject(field)
    return [name, { style, explode, allowReserved, ...rest }] as const
  })
  const usual = { style: 'form', explode: true, allowReserved: false }
  const others = fields.filter(([, field]) => !isDeepStrictEqual(field, usual))
  return others.length > 0 ? { ...media, encoding: Object.fromEntries(others) } : media
}

/** The server reads no longer body without `x-max-bytes` (apps/server/src/http/pipeline/body.ts). */
const DEFAULT_MAX_BYTES = 16 * 1024

/** Compares media types and their schemas, also those of events and lines. A media type may be added. */
function compareContent(
  comparison: Comparison,
  flow: Flow,
  before: Json,
  after: Json,
  open?: string,
): Finding[] {
  return Object.entries(before).flatMap(([type, old]) => {
    // The service may accept a whole range, such as `image/*`, where it accepted one type.
    const ranges = flow === 'received' ? [type, type.replace(/\/.*/, '/*'), '*/*'] : [type]
    const kept = ranges.find((each) => Object.hasOwn(after, each))
    if (kept === undefined)
      return within(type, breakAt('the media type was removed', 'Keep it, and add another beside it.'))
    const [left, right] = [asObject(old), asObject(after[kept])]
    const [limit, newLimit] = [left, right].map((media) => Number(media['x-max-bytes'] ?? DEFAULT_MAX_BYTES))
    const isBroken = flow === 'received' && newLimit! < limit!
    const [items, newItems] = [left['x-item-schema'], right['x-item-schema']]
    return within(type, [
      ...compareSchemas(comparison, flow, schemasOf(left), schemasOf(right), open),
      ...(isBroken ? breakAt(`\`x-max-bytes\` was ${limit} and is ${newLimit}`, 'Keep the limit.') : []),
      ...(items !== undefined && newItems === undefined
        ? breakAt('`x-item-schema` was removed', 'Keep it.')
        : compareSchemas(comparison, flow, [items].filter(Boolean), [newItems].filter(Boolean), 'type')),
      ...compareRest(comparison, withEncoding(left), withEncoding(right), [
        'schema',
        'x-max-bytes',
        'x-item-schema',
      ]),
    ])
  })
}

/** A status stays. An error status may be added, because callers treat an unknown one as `400` or `500`. */
function compareResponses(comparison: Comparison, flow: Flow, before: Json, after: Json): Finding[] {
  return pairs(before, after).flatMap(([status, old, current]) => {
    const isError = /^[45]/.test(status)
    /** What callers know of a status that was documented only as `5XX` or `default`. */
    const covering = [`${status[0]}XX`, 'default'].find((each) => Object.hasOwn(before, each))
    const known = old ?? (covering === undefined ? undefined : before[covering])
    if (known === undefined)
      return isError || flow === 'received'
        ? []
        : within(
            status,
            breakAt('the status is new and no error', 'Callers know the published statuses only.'),
          )
    if (current === undefined)
      return within(status, breakAt('the status was removed', 'Callers have code for it. Keep it.'))
    if (isSame(comparison, known, current)) return []
    const open = isError ? 'error' : undefined
    const compared = through(comparison, known, current, (left, right) => [
      ...(flow === 'sent' ? compareHeaders(comparison, asObject(left.headers), asObject(right.headers)) : []),
      ...(flow === 'sent' && left.content !== undefined && right.content === undefined
        ? breakAt('the body was removed', 'Keep it.')
        : compareContent(comparison, flow, asObject(left.content), asObject(right.content), open)),
      ...compareRest(comparison, left, right, ['headers', 'content']),
    ])
    return within(status, compared)
  })
}

function compareHeaders(comparison: Comparison, before: Json, after: Json): Finding[] {
  const byLowerCase = (headers: Json) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return pairs(byLowerCase(before), byLowerCase(after)).flatMap(([name, old, current]) => {
    if (old === undefined) return []
    const compared = through(comparison, old, current, (left, right) =>
      current === undefined
        ? removalOf(comparison, [left], 'the header was removed', 'Keep it.')
        : [
            ...comparePresence('sent', 'header', left, right),
            ...compareValue(comparison, 'sent', left, right),
          ],
    )
    return within(`header ${name}`, compared)
  })
}

// Credentials and texts that are promises

/**
 * The credentials and scopes stay. More of them refuse callers. Fewer, or another way in, accept requests that the
 * published document refuses.
 */
function compareRequirements(comparison: Comparison, before: Json, after: Json): Finding[] {
  const old = spellSecurity(before.security ?? comparison.before.security)
  const current = spellSecurity(after.security ?? comparison.after.security)
  const advice = 'Keep the published credentials and scopes. Ask for others in a new operation only.'
  return old === current
    ? []
    : breakAt(`the credentials were ${old}, and are ${current}`, advice, ['security'])
}

/** One spelling of the alternatives to authenticate, in any order. */
function spellSecurity(security: unknown): string {
  const spell = (requirement: unknown) =>
    Object.entries(asObject(requirement))
      .map(([scheme, scopes]) => [show(scheme), ...asList(scopes).map(show).toSorted()].join(' with '))
      .toSorted()
      .join(' and ') || 'none'
  return asList(security).map(spell).toSorted().join(', or ') || 'none'
}

/** A published scheme keeps its meaning: where the credential is sent, its form, its flows and scopes. */
function compareScheme(before: unknown, after: unknown): Finding[] {
  if (after === undefined)
    return breakAt('the scheme was removed', 'Keep it, and add another scheme beside it.')
  return pairs(asObject(before), asObject(after)).flatMap(([key, old, current]) => {
    const isAddition = key === 'refreshUrl' && old === undefined
    if (isAddition || isDeepStrictEqual(old, current)) return []
    if (key === 'scopes') {
      const lost = asList(old).filter((scope) => !asList(current).includes(scope))
      return lost.flatMap((scope) =>
        breakAt(`the scope \`${String(scope)}\` was removed`, 'Keep it: tokens carry it.'),
      )
    }
    const isFlow = isObject(old) && key !== 'flows'
    if (isFlow && current === undefined) return within(key, breakAt('the flow was removed', 'Keep it.'))
    if (isObject(old))
      return isFlow ? within(key, compareScheme(old, current)) : compareScheme(old, current ?? {})
    if (isObject(current)) return []
    const problem = `\`${key}\` was ${show(old)} and is ${show(current)}`
    return breakAt(
      problem,
      'Callers send the credential as published. Keep it, and add another scheme beside it.',
    )
  })
}

/** The operations and events of a document with their texts. */
export function operationsOf(document: Json): Record<string, Json> {
  const found = (['paths', 'webhooks'] as const).flatMap((group) =>
    Object.entries(asObject(document[group])).flatMap(([path, item]) =>
      METHODS.flatMap((method): [string, Json][] => {
        const operation = find(document, item)?.[method]
        return isObject(operation) ? [[nameOfOperation(group, path, method, operation), operation]] : []
      }),
    ),
  )
  return Object.fromEntries(found)
}

/** The table under this heading of `info.description` is what a program can read of times. */
const LIFETIMES = /^# Lifetimes\n+\|.*\n\|.*\n((?:\|.*(?:\n|$))+)/m
const UNITS: Record<string, number> = { s: 1, min: 60, h: 3600, d: 86_400 }

function lifetimesOf({ info }: Json): Record<string, string[]> {
  const [, rows = ''] = LIFETIMES.exec(String(asObject(info).description)) ?? []
  const cells = rows.split('\n').map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return Object.fromEntries(cells.flatMap(([item, ...values]) => (item ? [[item, values]] : [])))
}

/** A documented time may grow. A value that ends earlier, or works fewer times, breaks callers. */
function compareLifetime(
  item: string,
  before: string[] | undefined,
  after: string[] | undefined,
  isTable: boolean,
) {
  if (!before) return []
  if (!isTable) return breakAt('the table was removed', 'Keep the section `# Lifetimes` with its table.')
  if (!after) return breakAt('the row was removed', 'Keep the row.', [item])
  const [[time, uses], [newTime, newUses]] = [before, after]
  /** NaN for another form than `3,600 s`, which then counts as shorter. */
  const seconds = (text = '') => {
    const [, amount, unit] = /^([\d,]+) (s|min|h|d)$/.exec(text) ?? []
    return Number(amount?.replaceAll(',', '')) * UNITS[unit ?? '']!
  }
  if (newTime !== time && !(seconds(newTime) >= seconds(time)))
    return breakAt(`it was ${time} and is ${newTime}`, 'Keep at least the published time.', [item])
  const problem = `its uses were "${uses}" and are "${newUses}"`
  return newUses === uses ? [] : breakAt(problem, 'Keep the published uses.', [item])
}
