import { createHmac, randomUUID } from 'node:crypto'
import { type ErrorRequestHandler, raw, type RequestHandler, Router } from 'express'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import { type Arrival, createInboxPage } from './inbox-page.ts'
import { sandboxPartner } from './partner.ts'

const MOST_BYTES = 16 * 1024
const MOST_REMEMBERED = 100
/** Of all that is remembered, as it is shown: it bounds the cost of a page that is put together. */
const MOST_CHARACTERS = 256 * 1024
/** Whatever was posted stays text. */
const NOTHING_RUNS = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** An arrival as it is shown, written when it arrives: a page is then only put together. */
type Shown = { attempts: number; json: string; row: string }

/** Stands in for the partner's server: takes every event and shows it. Only this process remembers, until it ends. */
export function inbox(service: Service): Router {
  const key = Buffer.from(sandboxPartner(service).webhook_secret.replace('whsec_', ''), 'base64')
  const { toRow, toPage } = createInboxPage(service)
  const arrivals = new Map<string, Shown>()
  let characters = 0
  let views: { page: string; json: string } | undefined

  const sizeOf = ({ json, row }: Shown) => json.length + row.length
  function forget(id: string): void {
    const shown = arrivals.get(id)
    if (shown && arrivals.delete(id)) characters -= sizeOf(shown)
  }

  function remember(id: string, arrival: Omit<Arrival, 'attempts'>): void {
    const attempts = (arrivals.get(id)?.attempts ?? 0) + 1
    const whole = { attempts, ...arrival }
    const shown = { attempts, json: JSON.stringify(whole), row: toRow(whole) }
    forget(id)
    arrivals.set(id, shown)
    characters += sizeOf(shown)
    while (arrivals.size > MOST_REMEMBERED || (characters > MOST_CHARACTERS && arrivals.size > 1)) forget(arrivals.keys().next().value!)
    views = undefined
  }

  /** Put together once for each arrival, however often they are read. */
  function view(): { page: string; json: string } {
    if (views) return views
    const newestFirst = [...arrivals.values()].toReversed()
    const json = `{"events":[${newestFirst.map((shown) => shown.json).join()}]}`
    return (views = { page: toPage(newestFirst.map(({ row }) => row)), json })
  }

  const receive: RequestHandler = (req, res) => {
    const header = (name: string) => req.get(`webhook-${name}`) ?? null
    const sent = {
      webhook_id: header('id'),
      webhook_timestamp: header('timestamp'),
      webhook_signature: header('signature'),
      body: Buffer.isBuffer(req.body) ? req.body.toString() : '',
    }
    const signature_ok = isSigned(key, sent)
    // Apart from forgeries of it, an event that comes again is the same event.
    remember(`${signature_ok} ${sent.webhook_id ?? randomUUID()}`, { received_at: new Date().toISOString(), signature_ok, ...sent })
    res.status(204).end()
  }

  const router = Router()
  router.post('/sandbox/inbox', raw({ type: () => true, limit: MOST_BYTES }), refuseUnreadable, receive)
  router.get('/sandbox/inbox.json', (_req, res) => void res.set('Cache-Control', 'no-store').type('json').send(view().json))
  router.get('/sandbox/inbox', (_req, res) => {
    res.set({ 'Content-Security-Policy': NOTHING_RUNS, 'Cache-Control': 'no-store' })
    res.type('html').send(view().page)
  })
  return router
}

type Signed = Pick<Arrival, 'webhook_id' | 'webhook_timestamp' | 'webhook_signature' | 'body'>

/** Checks one signature of Standard Webhooks, but not the age: an event that comes late is late, not forged. */
function isSigned(key: Buffer, { webhook_id, webhook_timestamp, webhook_signature, body }: Signed): boolean {
  if (!webhook_id || !webhook_signature || !/^\d{1,12}$/.test(webhook_timestamp ?? '')) return false
  const signed = createHmac('sha256', key).update(`${webhook_id}.${webhook_timestamp}.${body}`).digest('base64')
  return webhook_signature.split(' ').includes(`v1,${signed}`)
}

/** What the parser of bodies says, in our words. Four parameters make Express call it for errors. */
const refuseUnreadable: ErrorRequestHandler = (error, _req, _res, next) =>
  next(new Failure(error.type === 'entity.too.large' ? 'payload_too_large' : 'malformed_request', { cause: error }))
