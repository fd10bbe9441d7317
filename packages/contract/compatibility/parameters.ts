import { type Compare, report } from './comparison.ts'
import { asObject, type Json, pairs, resolve } from './json.ts'
import { compareValue } from './messages.ts'
import { enter, into } from './place.ts'

/** The path item and operation that hold the parameters of one request. */
type Owners = readonly [item: Json, operation: Json]

/** Compares the parameters of an operation, or of an event, which the service sends. */
export const compareParameters: Compare<Owners> = (comparison, at, flow, before, after) => {
  const [left, right] = [byKey(comparison.before, before), byKey(comparison.after, after)]
  for (const [key, old, current] of pairs(left, right)) {
    const place = enter(into(at, key), old, current)
    const [was, is] = [resolve(comparison.before, old), resolve(comparison.after, current)]
    if (old === undefined) {
      if (flow === 'received' && is.required === true)
        report(
          comparison,
          place,
          'the parameter is new and required',
          'Make it optional, with a default effect.',
        )
      continue
    }
    if (current === undefined) {
      const moved = Object.keys(right).find(
        (other) => !(other in left) && other.split(' ')[1] === key.split(' ')[1],
      )
      const problem = moved ? `the parameter moved: it is now ${moved}` : 'the parameter is gone'
      report(
        comparison,
        place,
        problem,
        'Keep it where it is. A renamed parameter is a removed one and a new one.',
      )
      continue
    }
    if (flow === 'received' && was.required !== true && is.required === true)
      report(comparison, place, 'the parameter is now required', 'Keep it optional.')
    if (flow === 'sent' && was.required === true && is.required !== true)
      report(comparison, place, 'the parameter is no longer always sent', 'Keep `required: true`.')
    compareValue(comparison, place, flow, was, is)
  }
}

/** The parameters by location and name. Those of the operation replace those of the path. */
function byKey(document: Json, owners: Owners): Json {
  const all = owners.flatMap(({ parameters }) => (Array.isArray(parameters) ? (parameters as unknown[]) : []))
  return Object.fromEntries(
    all.map((parameter) => {
      const { in: location, name } = resolve(document, parameter) as { in: string; name: string }
      return [`${location} ${location === 'header' ? name.toLowerCase() : name}`, asObject(parameter)]
    }),
  )
}
