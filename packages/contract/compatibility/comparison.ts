import type { Json } from './json.ts'
import type { Flow, Place } from './place.ts'

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

/** The two documents, the references to components that differ, and what was found. */
export type Comparison = {
  before: Json
  after: Json
  changed: ReadonlySet<string>
  breaks: Map<string, Break>
  /** The breaks in components that were compared already. */
  memo: Map<string, Break[]>
}

/** Compares two parts of the documents. */
export type Compare<Part = unknown> = (
  comparison: Comparison,
  at: Place,
  flow: Flow,
  before: Part,
  after: Part,
) => void

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
