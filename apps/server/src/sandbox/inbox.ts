import { randomUUID } from 'node:crypto'
import { type ErrorRequestHandler, raw, type RequestHandler, Router } from 'express'
import { Webhook } from 'standardwebhooks'
import { Failure } from '../http/failure.ts'
import type { Service } from '../operation.ts'
import { inboxPage } from './inbox-page.ts'
import { sandboxPartner } from './partner.ts'

const MOST_BYTES = 64 * 1024
const MOST_REMEMBERED = 100
/** Whatever was posted stays text. */
const NOTHING_RUNS = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** An event as it came, however often it came. */
export type Arrival = {
  received_at: string
  attempts: number
  webhook_id: string | null
  webhook_timestamp: string | null
  webhook_signature: string | null
  signature_ok: boolean
  body: string
}

/** Stands in for the partner's server: takes every event and shows it. Only this process remembers, until it ends. */
export function inbox(service: Service): Router {
  const webhook = new Webhook(sandboxPartner(service).webhook_secret)
  const arrivals = new Map<string, Arrival>()
  const newestFirst = () => [...arrivals.values()].toReversed()

  const receive: RequestHandler = (req, res) => {
    const header = (name: string) => req.get(`webhook-${name}`) ?? null
    const sent = {
      webhook_id: header('id'),
      webhook_timestamp: header('timestamp'),
      webhook_signature: header('signature'),
      body: Buffer.isBuffer(req.body) ? req.body.toString() : '',
    }
    const signature_ok = isSigned(webhook, sent)
    // Apart from forgeries of it, an event that comes again is the same event.
    const key = `${signature_ok} ${sent.webhook_id ?? randomUUID()}`
    const attempts = (arrivals.get(key)?.attempts ?? 0) + 1
    arrivals.delete(key)
    arrivals.set(key, { received_at: new Date().toISOString(), attempts, signature_ok, ...sent })
    if (arrivals.size > MOST_REMEMBERED) arrivals.delete(arrivals.keys().next().value!)
    res.status(204).end()
  }

  const router = Router()
  router.post('/sandbox/inbox', raw({ type: () => true, limit: MOST_BYTES }), refuseUnreadable, receive)
  router.get('/sandbox/inbox.json', (_req, res) => void res.set('Cache-Control', 'no-store').json({ events: newestFirst() }))
  router.get('/sandbox/inbox', (_req, res) => {
    res.set({ 'Content-Security-Policy': NOTHING_RUNS, 'Cache-Control': 'no-store' })
    res.type('html').send(inboxPage(service, newestFirst()))
  })
  return router
}

type Signed = Pick<Arrival, 'webhook_id' | 'webhook_timestamp' | 'webhook_signature' | 'body'>

/** As `Webhook#verify`, but for the age: an event that comes late is late, not forged. */
function isSigned(webhook: Webhook, { webhook_id, webhook_timestamp, webhook_signature, body }: Signed): boolean {
  if (!webhook_id || !webhook_signature || !/^\d{1,12}$/.test(webhook_timestamp ?? '')) return false
  return webhook_signature.split(' ').includes(webhook.sign(webhook_id, new Date(Number(webhook_timestamp) * 1000), body))
}

/** What the parser of bodies says, in our words. Four parameters make Express call it for errors. */
const refuseUnreadable: ErrorRequestHandler = (error, _req, _res, next) =>
  next(new Failure(error.type === 'entity.too.large' ? 'payload_too_large' : 'malformed_request', { cause: error }))
