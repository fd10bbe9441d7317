// Peer (a): Fastify and pg, as a competent team would write it.
import { routes } from '@tiwala/contract'
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import { fastify } from 'fastify'
import { connect, findRecord } from './find-record.ts'

type InquireRequest = {
  Querystring: { tracking_no: string }
  Headers: { 'x-secret-code': string; 'x-secret-token': string }
}

const object = (properties: Record<string, object>, required: string[]) => ({
  type: 'object',
  required,
  properties,
})
const [integer, text, textOrNull] = [
  { type: 'integer' },
  { type: 'string' },
  { type: 'string', nullable: true },
]
const record = {
  id: integer,
  pcn: text,
  scope: text,
  tracking_no: text,
  callback_url: textOrNull,
  is_accepted: { ...integer, nullable: true },
  accepted_at: textOrNull,
  payload: object({ qr_value: text }, []),
  response: { ...partner.components.schemas.Profile, nullable: true },
}
const data = object(record, ['id', 'pcn', 'scope', 'tracking_no', 'payload'])
const secret = { ...text, maxLength: 100 }
/** Fastify generates the request validator and the response serializer from it. */
const schema = {
  querystring: object({ tracking_no: { ...text, minLength: 1, maxLength: 64 } }, ['tracking_no']),
  headers: object({ 'x-secret-code': secret, 'x-secret-token': secret }, ['x-secret-code', 'x-secret-token']),
  response: { 200: object({ status: integer, message: text, data }, ['status', 'message', 'data']) },
}

const pool = connect()
// Fastify logs requests with pino.
const app = fastify({ logger: { level: 'info', base: null } })

app.get('/readyz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))

app.get<InquireRequest>(routes.partner.inquire.path, { schema }, async ({ query, headers }, reply) => {
  const { 'x-secret-code': code, 'x-secret-token': token } = headers
  const result = await findRecord(pool, code, token, query.tracking_no)
  if ('errorStatus' in result) return reply.code(result.errorStatus).send({ status: result.errorStatus })
  return result
})

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
