import { asObject, decode } from './json.ts'

/** Who writes a value: the service receives requests, and sends responses and events. */
export type Flow = 'received' | 'sent'

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

/** Goes into a component. If both documents refer to it by one name, breaks are reported under that name. */
export function enter(place: Place, before: unknown, after: unknown): Place {
  const [left, right] = [asObject(before).$ref, asObject(after).$ref]
  if (left === undefined && right === undefined) return place
  const refs = [...place.refs, JSON.stringify([left, right])]
  if (typeof left !== 'string' || left !== right) return { ...place, refs }
  return { ...place, refs, subject: decode(left.split('/').at(-1)!), steps: [] }
}
