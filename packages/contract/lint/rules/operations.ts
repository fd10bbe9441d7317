// Rules about operations: their parameters, bodies, media types and statuses.
import { STATUS_CODES } from 'node:http'
import { closest, isNode, listOf, nodeOf, rule } from '../rule.ts'
import { isWebhook } from './responses.ts'

const MEDIA_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/event-stream',
]

export const knownMediaType = rule(
  'The server reads and writes these types only, so every request with another is a 415 or 406.',
  (report) => ({
    MediaTypesMap(types, context) {
      for (const type of Object.keys(types).filter((name) => !MEDIA_TYPES.includes(name)))
        report(context, {
          what: `${type} is not a media type of this service.`,
          write: `${closest(type, MEDIA_TYPES) ?? MEDIA_TYPES.join(', ')}.`,
          at: context.location.child(type).key(),
        })
    },
  }),
)

/** The errors of every operation. Operations with a body, credentials or scopes have more. */
const ERRORS = ['400', '406', '422', '429', '500', '503']

export const statuses = rule(
  'Clients meet a response that the document does not have, and the server refuses to send it.',
  (report) => {
    let security: unknown
    return {
      Root(root) {
        security = root.security
      },
      Operation(operation, context) {
        const present = Object.keys(nodeOf(operation.responses))
        const at = context.location.child('responses').key()
        for (const status of present.filter((name) => !(name in STATUS_CODES) && !/^2XX$|^x-/.test(name)))
          report(context, { what: `${status} is no HTTP status.`, write: 'three digits, in quotes.', at })
        if (!present.length)
          report(context, {
            what: 'The operation has no responses.',
            write: 'responses, with a description each.',
          })
        if (isWebhook(context)) return
        const credentials = listOf(operation.security ?? security).map(nodeOf)
        const needed = [
          ...ERRORS,
          ...('requestBody' in operation ? ['413', '415'] : []),
          ...(credentials.length ? ['401'] : []),
          ...(credentials.some((scheme) => Object.values(scheme).flat().length) ? ['403'] : []),
        ]
        const missing = needed.filter((status) => !present.includes(status)).toSorted()
        if (present.length && missing.length)
          report(context, {
            what: `The operation does not list ${missing.join(', ')}.`,
            write: 'a $ref to the component for each, as in the operations beside it.',
            at,
          })
      },
    }
  },
)

export const requestBody = rule(
  'A body without a schema is not checked, and an optional body makes every field optional.',
  (report) => ({
    RequestBody(body, context) {
      if (body.required !== true) report(context, { what: 'The body is optional.', write: 'required: true.' })
      for (const [type, media] of Object.entries(nodeOf(body.content))) {
        const at = context.location.child(['content', type]).key()
        if (!isNode(nodeOf(media).schema))
          report(context, { what: `The body ${type} has no schema.`, write: 'schema with a $ref.', at })
        if (!('example' in nodeOf(media)) && !('examples' in nodeOf(media)))
          report(context, {
            what: `The body ${type} has no example.`,
            write: 'example with a valid body.',
            at,
          })
      }
    },
    Operation(operation, context) {
      if ('requestBody' in operation && ['get', 'head', 'delete'].includes(String(context.key)))
        report(context, {
          what: `A ${String(context.key).toUpperCase()} has no body.`,
          write: 'parameters, or POST.',
          at: context.location.child('requestBody').key(),
        })
    },
  }),
)

export const pathParameter = rule(
  'A path always has all its parts, so an optional one is never absent.',
  (report) => ({
    Parameter(parameter, context) {
      if (parameter.in === 'path' && parameter.required !== true)
        report(context, { what: 'The path parameter is optional.', write: 'required: true.' })
      if (!('schema' in parameter) && !('content' in parameter))
        report(context, { what: 'The parameter has no schema.', write: 'schema with type and limits.' })
    },
  }),
)
