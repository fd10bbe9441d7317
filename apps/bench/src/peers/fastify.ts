// Peer (a): Fastify and pg as a competent team would write it.
import { routes } from '@tiwala/contract'
import { fastify } from 'fastify'
import { connect, findRecord } from './find-record.ts'
import { recordSchema } from './record-schema.ts'

const pool = connect()
// The request log is Fastify's own, pino.
const app = fastify({ logger: { level: 'info', base: null } })

app.get('/readyz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))

app.get<{ Querystring: { tracking_no: string }; Headers: { 'x-secret-code': string; 'x-secret-token': string } }>(
  routes.partner.inquire.path,
  { schema: recordSchema },
  async ({ query, headers }, reply) => {
    const answer = await findRecord(pool, headers['x-secret-code'], headers['x-secret-token'], query.tracking_no)
    if ('refusal' in answer) return reply.code(answer.refusal).send({ status: answer.refusal })
    return answer
  },
)

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
