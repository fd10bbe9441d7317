// Peer (c): node:http and pg. It logs requests and checks credentials like the other peers, but validates
// nothing.
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
  const result = await findRecord(pool, code as string, token as string, trackingNo)
  const status = 'errorStatus' in result ? result.errorStatus : result.status
  const body = Buffer.from(JSON.stringify('errorStatus' in result ? { status } : result))
  res
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
    .end(body)
  log.info({ method: req.method, status, ms: performance.now() - startedAtMs }, 'request completed')
})

server.listen(Number(process.env['PORT']), '127.0.0.1')
