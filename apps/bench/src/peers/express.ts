// Peer (b): Express, express-openapi-validator and pg. It validates requests and responses against the same
// OpenAPI document as the service.
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
const validator = middleware({
  apiSpec: partner as unknown as Document,
  validateRequests: true,
  validateResponses: true,
  // The handler checks the credential, in the statement that reads the record.
  validateSecurity: false,
})
app.use(validator as unknown as RequestHandler[])

app.get(routes.partner.inquire.path, async (req, res) => {
  const trackingNo = req.query['tracking_no'] as string
  const result = await findRecord(pool, req.get('x-secret-code'), req.get('x-secret-token'), trackingNo)
  if ('errorStatus' in result) res.status(result.errorStatus).end()
  else res.json(result)
})

const sendError: ErrorRequestHandler = (error: { status?: number; message: string }, _req, res, _next) => {
  res.status(error.status ?? 500).send({ message: error.message })
}
app.use(sendError)

app.listen(Number(process.env['PORT']), '127.0.0.1')
