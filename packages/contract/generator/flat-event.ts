// The schema of all events to partners. OpenAPI 3.0 has no webhooks, and a program that receives an event
// knows its type only after it has parsed it.
import { nameOf } from '../references.ts'
import type { Json } from './flat-schemas.ts'

type Fields = Record<string, Json>
export type Webhooks = Record<
  string,
  {
    post: {
      operationId: string
      requestBody?: { content: { 'application/json'?: { schema: Json; example?: unknown } } }
    }
  }
>
type Body = { properties: { timestamp: Json; data: { properties?: Fields } } }

const TYPE = {
  type: 'string',
  description: 'What happened. New types will be added: respond with `2xx` to a type that you do not know.',
}
const DATA = {
  type: 'object',
  description: 'The subject of the event. The type of the event decides which of the fields are present.',
  additionalProperties: true,
}

/** The schemas `Event`, `EventType` and `EventData`. */
export function flatEvent(webhooks: Webhooks, schemas: Fields): Fields {
  const bodies = Object.values(webhooks).map(({ post }) => {
    const { $ref } = (post.requestBody?.content['application/json']?.schema ?? {}) as { $ref?: string }
    const body = schemas[nameOf(String($ref))] as unknown as Body | undefined
    const message =
      'The body of an event is a component with `timestamp` and `data`. Refer to one in schemas.'
    if (!body?.properties?.data) throw Object.assign(new Error(message), { operationId: post.operationId })
    return body
  })
  return {
    Event: {
      type: 'object',
      description: 'An event that the service posts to your `callback_url`. It contains no personal data.',
      additionalProperties: false,
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { $ref: '#/components/schemas/EventType' },
        timestamp: bodies[0]!.properties.timestamp,
        data: { $ref: '#/components/schemas/EventData' },
      },
    },
    EventType: { ...TYPE, enum: Object.keys(webhooks) },
    EventData: { ...DATA, properties: allFields(bodies.map(({ properties }) => properties.data.properties)) },
  }
}

/** A field of several events allows the values of each of them. */
function allFields(parts: (Fields | undefined)[]): Fields {
  const all: Fields = {}
  for (const [name, field] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    const known = all[name]
    all[name] =
      known?.enum && field.enum
        ? { ...known, enum: [...new Set([...(known.enum as unknown[]), ...(field.enum as unknown[])])] }
        : field
  }
  return all
}
