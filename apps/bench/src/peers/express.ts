// Peer (b): Express, express-openapi-validator and pg, held to the same document as ours, requests and answers.
import { routes } from '@tiwala/contract'
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import { pino } from 'pino'
import { pinoHttp } from 'pino-http'
import { connect, findRecord } from './find-record.ts'

type Document = Exclude<Parameters<typeof middleware>[0]['apiSpec'], string>

const pool = connect()
const app = express().disable('x-powered-by').disable('etag')

app.get('/readyz', (_req, res) => void res.json({ status: 'ok' }))
app.use(pinoHttp({ logger: pino({ base: null }), quietReqLogger: true }))
// The credential is checked by the handler, in the statement that reads the record.
const contract = { apiSpec: partner as unknown as Document, validateRequests: true, validateResponses: true, validateSecurity: false }
app.use(middleware(contract) as unknown as RequestHandler[])

app.get(routes.partner.inquire.path, async (req, res) => {
  const answer = await findRecord(pool, req.get('x-secret-code'), req.get('x-secret-token'), req.query['tracking_no'] as string)
  if ('refusal' in answer) res.status(answer.refusal).end()
  else res.json(answer)
})

const answerError: ErrorRequestHandler = (error: { status?: number; message: string }, _req, res, _next) => {
  res.status(error.status ?? 500).send({ message: error.message })
}
app.use(answerError)

app.listen(Number(process.env['PORT']), '127.0.0.1')
