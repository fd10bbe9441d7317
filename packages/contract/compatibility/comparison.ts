/** An object of an OpenAPI document. */
export type Json = { readonly [key: string]: unknown }

/** Who writes a value: the service receives requests, and sends responses and events. */
export type Flow = 'received' | 'sent'

/** A change that a caller which follows the published document can notice. */
export type Break = {
  /** What the changelog must name: a component, an operationId or an event. */
  subject: string
  place: string
  problem: string
  advice: string
  /** The operations and events that the change reaches. */
  operations: string[]
}

/** Where a comparison is: the operation, the component it went into last, and the way from there. */
export type Place = {
  operation: string
  subject: string
  steps: readonly string[]
  /** The references that lead here, so that a recursive schema ends. */
  refs: readonly string[]
  /** The way from the root of the body, through all components. */
  fields: readonly string[]
  /** A top-level field of this body whose values may grow: `error`, or the `type` of an event. */
  openField?: string
}

/** The two documents, the references to components that differ, and what was found. */
export type Comparison = {
  before: Json
  after: Json
  changed: ReadonlySet<string>
  breaks: Map<string, Break>
  /** The breaks in components that were compared already. */
  memo: Map<string, Break[]>
}

/** The place of an operation, or of another part of a document. */
export const startAt = (operation: string): Place => ({
  operation,
  subject: operation,
  steps: [],
  refs: [],
  fields: [],
})

/** The place one step further. */
export const into = (place: Place, step: string): Place => ({ ...place, steps: [...place.steps, step] })

/** Reports a break at a place. */
export function report(comparison: Comparison, at: Place, problem: string, advice: string): void {
  const { subject, operation } = at
  record(comparison, {
    subject,
    place: [subject, ...at.steps].join(' > '),
    problem,
    advice,
    operations: [operation],
  })
}

/** Keeps a break once, however many operations reach the component in which it is. */
export function record({ breaks }: Comparison, found: Break): void {
  const key = `${found.place} ${found.problem}`
  const operations = new Set([...(breaks.get(key)?.operations ?? []), ...found.operations])
  breaks.set(key, { ...found, operations: [...operations] })
}

/**
 * Compares a component that both documents refer to by the same name once, although many operations reach it.
 * The result depends on nothing but the component, the flow and the way through the body.
 */
export function compareOnce(
  comparison: Comparison,
  at: Place,
  flow: Flow,
  compare: (comparison: Comparison) => void,
): void {
  const key = JSON.stringify([at.refs.at(-1), at.steps, flow, at.openField, at.fields])
  let found = comparison.memo.get(key)
  if (found === undefined) {
    const trial = trialOf(comparison)
    compare(trial)
    found = [...trial.breaks.values()]
    comparison.memo.set(key, found)
  }
  for (const each of found) record(comparison, { ...each, operations: [at.operation] })
}

/** The same documents, with a list of breaks of their own. */
export const trialOf = (comparison: Comparison): Comparison => ({ ...comparison, breaks: new Map() })

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

/** Follows `$ref` until an object of its own. */
export function resolve(document: Json, value: unknown): Json {
  const { $ref } = asObject(value)
  if (typeof $ref !== 'string') return asObject(value)
  const segments = $ref.slice(2).split('/')
  return resolve(
    document,
    segments.reduce<unknown>((node, segment) => asObject(node)[decode(segment)], document),
  )
}

const decode = (segment: string) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')

/** Goes into a component. If both documents refer to it by one name, breaks are reported under that name. */
export function enter(place: Place, before: unknown, after: unknown): Place {
  const [left, right] = [asObject(before).$ref, asObject(after).$ref]
  if (left === undefined && right === undefined) return place
  const refs = [...place.refs, JSON.stringify([left, right])]
  if (typeof left !== 'string' || left !== right) return { ...place, refs }
  return { ...place, refs, subject: decode(left.split('/').at(-1)!), steps: [] }
}

export const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** A value in a message, shortened. */
export function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

/** Pairs the entries of two objects by key. A missing side is undefined. */
export function pairs(before: unknown, after: unknown): [key: string, before: unknown, after: unknown][] {
  const [left, right] = [asObject(before), asObject(after)]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].map((key) => [
    key,
    left[key],
    right[key],
  ])
}
