// Rules about names: operations and their files, headers, fields.
import { basename } from 'node:path'
import { type Context, type Node, nodeOf, rule } from '../rule.ts'
import { isWebhook } from './responses.ts'

/**
 * Headers whose usual spelling does not follow the pattern, and those of W3C Trace Context and Standard
 * Webhooks.
 */
const SPELLINGS: Readonly<Record<string, string>> = {
  'www-authenticate': 'WWW-Authenticate',
  etag: 'ETag',
  'last-event-id': 'Last-Event-ID',
  ratelimit: 'RateLimit',
  'ratelimit-policy': 'RateLimit-Policy',
  traceparent: 'traceparent',
  'webhook-id': 'webhook-id',
  'webhook-timestamp': 'webhook-timestamp',
  'webhook-signature': 'webhook-signature',
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

const canonical = (header: string) =>
  SPELLINGS[header.toLowerCase()] ?? header.replaceAll('_', '-').split('-').map(capitalized).join('-')

const kebab = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^-/, '')

export const headerName = rule(
  'One header with two spellings looks like two headers in documents, types and logs.',
  (report) => {
    const check = (name: string, context: Context, place: string[]) => {
      if (name !== canonical(name))
        report(context, {
          what: `The header ${name} is not in canonical case.`,
          write: `${canonical(name)}.`,
          at: context.location.child(place),
        })
    }
    const checkNamed = (node: Node, context: Context) => {
      if (node.in === 'header') check(String(node.name), context, ['name'])
    }
    return {
      Response(response, context) {
        for (const name of Object.keys(nodeOf(response.headers))) check(name, context, ['headers', name])
      },
      Parameter: checkNamed,
      SecurityScheme: checkNamed,
    }
  },
)

export const fieldName = rule(
  'Clients in every language map names by one convention, and two spellings of a word are two fields.',
  (report) => {
    const check = (name: string, context: Context, place: string) => {
      if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
        report(context, {
          what: `The name \`${name}\` is not in snake_case.`,
          write: `\`${kebab(name)
            .replaceAll(/[-\s]+/g, '_')
            .toLowerCase()}\`.`,
          at: context.location.child(place),
        })
    }
    return {
      SchemaProperties(properties, context) {
        for (const name of Object.keys(properties)) check(name, context, name)
      },
      Parameter(parameter, context) {
        if (parameter.in === 'query' || parameter.in === 'path')
          check(String(parameter.name), context, 'name')
      },
    }
  },
)

export const operationFile = rule(
  'An operation is found by its name: in spec/, in the server and in the tests.',
  (report) => ({
    Operation({ operationId }, context) {
      if (typeof operationId !== 'string' || context.location.source.absoluteRef.endsWith('/openapi.yaml'))
        return
      const at = context.location.child('operationId')
      if (!/^[a-z][a-zA-Z0-9]*$/.test(operationId)) {
        report(context, {
          what: `The operationId ${operationId} is not in camelCase.`,
          write: 'camelCase.',
          at,
        })
        return
      }
      const file = basename(context.location.source.absoluteRef)
      const expected = `${kebab(isWebhook(context) ? operationId.replace(/^on/, '') : operationId)}.yaml`
      if (file !== expected)
        report(context, {
          what: `The operation ${operationId} is in ${file}.`,
          write: `the operation in ${expected}, or an operationId that fits the file.`,
          at,
        })
    },
  }),
)
