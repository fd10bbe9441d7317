// Peer (a): Fastify and pg, as a competent team would write it.
import { routes } from '@tiwala/contract'
import { fastify } from 'fastify'
import { connect, findRecord } from './find-record.ts'
import { recordSchema } from './record-schema.ts'

type InquireRequest = {
  Querystring: { tracking_no: string }
  Headers: { 'x-secret-code': string; 'x-secret-token': string }
}

const pool = connect()
// Fastify logs requests with pino.
const app = fastify({ logger: { level: 'info', base: null } })

app.get('/readyz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))

app.get<InquireRequest>(
  routes.partner.inquire.path,
  { schema: recordSchema },
  async ({ query, headers }, reply) => {
    const result = await findRecord(
      pool,
      headers['x-secret-code'],
      headers['x-secret-token'],
      query.tracking_no,
    )
    if ('errorStatus' in result) return reply.code(result.errorStatus).send({ status: result.errorStatus })
    return result
  },
)

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
