import { createHmac, randomUUID } from 'node:crypto'
import { type ErrorRequestHandler, raw, type Request, type RequestHandler, Router } from 'express'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import type { InboxEvent } from './bootstrap-format.ts'
import { createInboxPage } from './inbox-page.ts'
import { sandboxPartner } from './partner.ts'

const MAX_BODY_BYTES = 16 * 1024
const MAX_EVENTS = 100
/** The most characters of all stored events, as rendered. Bounds the cost of the page. */
const MAX_CHARACTERS = 256 * 1024
/** Posted text is never run as a script. */
const NO_SCRIPT_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** An event, rendered when it arrives, so that a page is only concatenated. */
type RenderedArrival = { attempts: number; json: string; row: string }

/**
 * The callback URL of the sandbox partner: receives every event and shows it. Kept in the memory of this
 * process only.
 */
export function inbox(service: Service): Router {
  const secret = sandboxPartner(service).webhook_secret
  const { toRow, toPage } = createInboxPage(service)
  const arrivals = new Map<string, RenderedArrival>()
  let characters = 0
  let views: { page: string; json: string } | undefined

  const sizeOf = ({ json, row }: RenderedArrival) => json.length + row.length
  function remove(id: string): void {
    const shown = arrivals.get(id)
    if (shown && arrivals.delete(id)) characters -= sizeOf(shown)
  }

  function add(id: string, arrival: Omit<InboxEvent, 'attempts'>): void {
    const attempts = (arrivals.get(id)?.attempts ?? 0) + 1
    const whole = { attempts, ...arrival }
    const shown = { attempts, json: JSON.stringify(whole), row: toRow(whole) }
    remove(id)
    arrivals.set(id, shown)
    characters += sizeOf(shown)
    while (arrivals.size > MAX_EVENTS || (characters > MAX_CHARACTERS && arrivals.size > 1))
      remove(arrivals.keys().next().value!)
    views = undefined
  }

  /** Concatenated once for each arrival, however often it is read. */
  function view(): { page: string; json: string } {
    if (views) return views
    const newestFirst = [...arrivals.values()].toReversed()
    const json = `{"events":[${newestFirst.map((shown) => shown.json).join()}]}`
    return (views = { page: toPage(newestFirst.map(({ row }) => row)), json })
  }

  const receive: RequestHandler = (req, res) => {
    const sent = readSigned(req)
    const signature_ok = isSigned(secret, sent)
    // An event that is received again is the same event. Forgeries of it are kept apart.
    add(`${signature_ok} ${sent.webhook_id ?? randomUUID()}`, {
      received_at: new Date().toISOString(),
      signature_ok,
      ...sent,
    })
    res.status(204).end()
  }

  const router = Router()
  router.post('/sandbox/inbox', raw({ type: () => true, limit: MAX_BODY_BYTES }), refuseUnreadable, receive)
  router.get(
    '/sandbox/inbox.json',
    (_req, res) => void res.set('Cache-Control', 'no-store').type('json').send(view().json),
  )
  router.get('/sandbox/inbox', (_req, res) => {
    res.set({ 'Content-Security-Policy': NO_SCRIPT_POLICY, 'Cache-Control': 'no-store' })
    res.type('html').send(view().page)
  })
  return router
}

type Signed = Pick<InboxEvent, 'webhook_id' | 'webhook_timestamp' | 'webhook_signature' | 'body'>

/** The signed parts of a request whose body was read as bytes. */
export function readSigned(req: Request): Signed {
  const header = (name: string) => req.get(`webhook-${name}`) ?? null
  return {
    webhook_id: header('id'),
    webhook_timestamp: header('timestamp'),
    webhook_signature: header('signature'),
    body: Buffer.isBuffer(req.body) ? req.body.toString() : '',
  }
}

/** Checks one signature of Standard Webhooks, but not its age: a late event is not a forged one. */
export function isSigned(
  secret: string,
  { webhook_id, webhook_timestamp, webhook_signature, body }: Signed,
): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  if (!webhook_id || !webhook_signature || !/^\d{1,12}$/.test(webhook_timestamp ?? '')) return false
  const signed = createHmac('sha256', key)
    .update(`${webhook_id}.${webhook_timestamp}.${body}`)
    .digest('base64')
  return webhook_signature.split(' ').includes(`v1,${signed}`)
}

/**
 * Turns errors of the body parser into errors of this API. Express calls a handler with four parameters for
 * errors.
 */
export const refuseUnreadable: ErrorRequestHandler = (error, _req, _res, next) =>
  next(
    new Failure(error.type === 'entity.too.large' ? 'payload_too_large' : 'malformed_request', {
      cause: error,
    }),
  )
