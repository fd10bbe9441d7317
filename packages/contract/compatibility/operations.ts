import { type Compare, compareOnce, type Comparison, report } from './comparison.ts'
import { asObject, asText, type Json, pairs, resolve } from './json.ts'
import { compareContent, compareHeaders, compareRest } from './messages.ts'
import { compareParameters } from './parameters.ts'
import { enter, type Flow, into, type Place, startAt } from './place.ts'
import { compareRequirements } from './security.ts'
import { compareStatedScopes } from './stated-scopes.ts'
import { isUnchanged } from './unchanged.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace', 'query']

/** Compares the operations of the paths: the service receives their requests. */
export function comparePaths(comparison: Comparison): void {
  compareItems(comparison, 'paths', ({ method, path, old }) => asText(old.operationId) ?? `${method} ${path}`)
}

/** Compares the events: the service sends their requests. */
export function compareWebhooks(comparison: Comparison): void {
  compareItems(comparison, 'webhooks', ({ path }) => path)
}

function compareItems(
  comparison: Comparison,
  group: 'paths' | 'webhooks',
  nameOf: (found: { method: string; path: string; old: Json }) => string,
): void {
  for (const [path, before, after] of pairs(comparison.before[group], comparison.after[group])) {
    const [left, right] = [resolve(comparison.before, before), resolve(comparison.after, after)]
    const known = [...METHODS, 'parameters']
    if (before !== undefined && after !== undefined)
      compareRest(comparison, startAt(path), left, right, known)
    for (const method of METHODS.filter((each) => left[each] !== undefined)) {
      const [old, current] = [asObject(left[method]), right[method]]
      const at = startAt(nameOf({ method, path, old }))
      const address = group === 'paths' ? `${method.toUpperCase()} ${path}` : `the event ${path}`
      if (current === undefined)
        report(
          comparison,
          at,
          `${address} is gone`,
          'Keep it, mark it `deprecated: true`, and add another beside it.',
        )
      else compareOperation(comparison, at, group, [left, old], [right, asObject(current)])
    }
  }
}

type Found = readonly [item: Json, operation: Json]

function compareOperation(
  comparison: Comparison,
  at: Place,
  group: 'paths' | 'webhooks',
  before: Found,
  after: Found,
): void {
  const [old, current] = [before[1], after[1]]
  const [request, response]: Flow[] = group === 'paths' ? ['received', 'sent'] : ['sent', 'received']
  compareParameters(comparison, at, request!, before, after)
  compareRequestBody(comparison, at, request!, old.requestBody, current.requestBody)
  compareResponses(comparison, at, response!, old.responses, current.responses)
  if (group === 'paths') compareRequirements(comparison, at, old, current)
  compareStatedScopes(comparison, at, old, current)
  compareRest(comparison, at, old, current, ['parameters', 'requestBody', 'responses', 'security'])
}

const compareRequestBody: Compare = (comparison, at, flow, before, after) => {
  const place = enter(into(at, 'request body'), before, after)
  const [left, right] = [resolve(comparison.before, before), resolve(comparison.after, after)]
  if (before !== undefined && after === undefined) report(comparison, place, 'the body is gone', 'Keep it.')
  if (flow === 'received' && left.required !== true && right.required === true)
    report(comparison, place, 'the body is now required', 'Keep it optional.')
  if (flow === 'sent' && left.required === true && after !== undefined && right.required !== true)
    report(comparison, place, 'the body is no longer always sent', 'Keep `required: true`.')
  if (before === undefined || after === undefined) return
  const body = flow === 'sent' ? { ...place, openField: 'type' } : place
  compareContent(comparison, body, flow, left.content, right.content)
}

/** A status stays. An error status may be added, because callers treat an unknown one as `400` or `500`. */
const compareResponses: Compare = (comparison, at, flow, before, after) => {
  for (const [status, old, current] of pairs(before, after)) {
    if (isUnchanged(comparison.changed, old, current)) continue
    const place = enter(into(at, status), old, current)
    const isError = /^[45]/.test(status)
    if (old === undefined) {
      if (flow === 'sent' && !isError)
        report(
          comparison,
          place,
          'the status is new and no error',
          'Callers know the published statuses only.',
        )
      continue
    }
    if (current === undefined) {
      report(comparison, place, 'the status is gone', 'Callers have code for it. Keep it.')
      continue
    }
    const response = isError ? { ...place, openField: 'error' } : place
    const compare = (target: Comparison) => compareResponse(target, response, flow, old, current)
    if (place.steps.length === 0) compareOnce(comparison, response, flow, compare)
    else compare(comparison)
  }
}

const compareResponse: Compare = (comparison, at, flow, before, after) => {
  const [left, right] = [resolve(comparison.before, before), resolve(comparison.after, after)]
  if (flow === 'sent') compareHeaders(comparison, at, left.headers, right.headers)
  if (flow === 'sent' && left.content !== undefined && right.content === undefined)
    report(comparison, at, 'the body is gone', 'Keep it.')
  else compareContent(comparison, at, flow, left.content, right.content)
  compareRest(comparison, at, left, right, ['headers', 'content'])
}
