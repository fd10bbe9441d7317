import partner from '@tiwala/contract/partner.json' with { type: 'json' }

const text = { type: 'string' }
const textOrNull = { type: 'string', nullable: true }

/** The schemas from which Fastify generates the request validator and the response serializer. */
export const recordSchema = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    required: ['tracking_no'],
    properties: { tracking_no: { type: 'string', minLength: 1, maxLength: 64 } },
  },
  headers: {
    type: 'object',
    required: ['x-secret-code', 'x-secret-token'],
    properties: {
      'x-secret-code': { type: 'string', maxLength: 100 },
      'x-secret-token': { type: 'string', maxLength: 100 },
    },
  },
  response: {
    200: {
      type: 'object',
      required: ['status', 'message', 'data'],
      properties: {
        status: { type: 'integer' },
        message: text,
        data: {
          type: 'object',
          required: ['id', 'pcn', 'scope', 'tracking_no', 'payload'],
          properties: {
            id: { type: 'integer' },
            pcn: text,
            scope: text,
            tracking_no: text,
            callback_url: textOrNull,
            is_accepted: { type: 'integer', nullable: true },
            accepted_at: textOrNull,
            payload: { type: 'object', properties: { qr_value: text } },
            response: { ...partner.components.schemas.Profile, nullable: true },
          },
        },
      },
    },
  },
}
