// Peer (c): node:http and pg. Nothing is validated; the request is logged and the credential checked as by the others.
import { createServer } from 'node:http'
import { pino } from 'pino'
import { connect, findRecord } from './find-record.ts'

const pool = connect()
const log = pino({ base: null })

const server = createServer(async (req, res) => {
  if (req.url === '/readyz') {
    res.end('{"status":"ok"}')
    return
  }
  const startedAtMs = performance.now()
  const trackingNo = new URLSearchParams(req.url!.slice(req.url!.indexOf('?'))).get('tracking_no') ?? ''
  const { 'x-secret-code': code, 'x-secret-token': token } = req.headers
  const answer = await findRecord(pool, code as string, token as string, trackingNo)
  const status = 'refusal' in answer ? answer.refusal : answer.status
  const body = Buffer.from(JSON.stringify('refusal' in answer ? { status } : answer))
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }).end(body)
  log.info({ method: req.method, status, ms: performance.now() - startedAtMs }, 'answered')
})

server.listen(Number(process.env['PORT']), '127.0.0.1')
