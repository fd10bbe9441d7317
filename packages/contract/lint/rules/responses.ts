// Rules about responses: what each status contains.
import { basename, dirname } from 'node:path'
import {
  type Context,
  isNode,
  isReference,
  listOf,
  type Node,
  nodeOf,
  type Report,
  resolved,
  rule,
  shown,
} from '../rule.ts'
import { valuesOf } from './closed-bodies.ts'
import { schemasNamedIn } from './components.ts'

const WITHOUT_BODY = new Set(['204', '205', '304'])
const RETRIED = new Set(['429', '503'])

export const isWebhook = ({ location: { source, pointer } }: Context) =>
  basename(dirname(source.absoluteRef)) === 'webhooks' || pointer.startsWith('#/webhooks')

type Visit = (
  report: Report,
  context: Context,
  status: string,
  response: Node,
  use: Context['location'],
) => void

/** Visits each response with its status. The context is the place where the response is written. */
const eachResponse = (visit: Visit) => (report: Report) => ({
  Responses(responses: Node, context: Context) {
    if (isWebhook(context)) return
    for (const [status, value] of Object.entries(responses)) {
      if (status.startsWith('x-')) continue
      const use = context.location.child(status)
      const location = (isReference(value) ? context.resolve(value).location : undefined) ?? use
      visit(report, { ...context, location }, status, resolved(context, value), use)
    }
  },
})

export const responseBody = rule(
  'Without a schema, the server does not check the body, and the client has no type for it.',
  eachResponse((report, context, status, { content }) => {
    const types = Object.entries(nodeOf(content))
    if (WITHOUT_BODY.has(status)) {
      if (types.length)
        report(context, { what: `A ${status} has no body.`, write: 'no content, or another status.' })
      return
    }
    if (!types.length)
      report(context, {
        what: `The ${status} does not say what its body is.`,
        write: 'content with application/json, a schema and an example. Or 204 if there is no body.',
      })
    for (const [type, media] of types) {
      const at = context.location.child(['content', type]).key()
      if (type === 'text/event-stream' && !schemasNamedIn(media).length)
        report(context, {
          what: 'The stream does not say which schema its events have.',
          write: 'schema with type: string, and a description with the name of the component in back quotes.',
          at,
        })
      if (!isNode(nodeOf(media).schema) || !Object.keys(nodeOf(nodeOf(media).schema)).length)
        report(context, {
          what: `The ${status} has no schema for ${type}.`,
          write: 'schema with a $ref to a component.',
          at,
        })
    }
  }),
)

export const responseExample = rule(
  'Readers learn from examples first, and the example is the test of the schema.',
  eachResponse((report, context, status, { content }) => {
    for (const [type, media] of Object.entries(nodeOf(content)))
      if (!('example' in nodeOf(media)) && !Object.keys(nodeOf(nodeOf(media).examples)).length)
        report(context, {
          what: `The ${status} has no example for ${type}.`,
          write: 'example with a body that is valid against the schema.',
          at: context.location.child(['content', type]).key(),
        })
  }),
)

export const errorResponse = rule(
  'Clients read every error in one way: the schema Error, with the status and the codes of this response.',
  eachResponse((report, context, status, { content }, use) => {
    if (!/^[45]/.test(status) || !isNode(content)) return
    for (const type of Object.keys(content).filter((name) => name !== 'application/json'))
      report(context, {
        what: `The error ${status} is ${type}.`,
        write: 'application/json.',
        at: context.location.child(['content', type]).key(),
      })
    const parts = listOf(nodeOf(nodeOf(content['application/json']).schema).allOf).map((part) =>
      nodeOf(nodeOf(part).properties),
    )
    const fixed = parts
      .map(({ status: property }) => nodeOf(property).const)
      .find((value) => value !== undefined)
    const write = `allOf: error.yaml, and status: { const: ${status} } and error with the enum of the codes.`
    if (fixed !== undefined && fixed !== Number(status))
      report(context, {
        what: `The response of status ${status} has the status ${shown(fixed)} in its body.`,
        write: `a response for ${status}: ${write}`,
        at: use,
      })
    else if (fixed === undefined || !parts.some(({ error }) => valuesOf(nodeOf(error)).length))
      report(context, { what: `The error ${status} does not name its status and its codes.`, write })
  }),
)

export const responseHeaders = rule(
  'Partners quote X-Request-Id, find the request in their trace, and wait for Retry-After before they retry.',
  eachResponse((report, context, status, { headers }) => {
    const needed = ['X-Request-Id', 'traceparent', ...(RETRIED.has(status) ? ['Retry-After'] : [])]
    for (const name of needed.filter((header) => !(header in nodeOf(headers))))
      report(context, {
        what: `The ${status} has no header ${name}.`,
        write: `${name} in headers, as in the other responses.`,
      })
  }),
)

export const webhookResponse = rule(
  'The service does not read the body of the response to an event.',
  (report) => ({
    Responses(responses, context) {
      if (!isWebhook(context)) return
      for (const status of Object.keys(responses))
        if (isNode(nodeOf(responses[status]).content))
          report(context, {
            what: `The response ${status} of a webhook has a body.`,
            write: 'a description only.',
            at: context.location.child([status, 'content']).key(),
          })
    },
  }),
)
