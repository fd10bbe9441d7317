import { type Request, type RequestHandler, Router } from 'express'
import { Failure } from '../../failure.ts'
import { rateLimitByAddress } from '../../http/load/address-limits.ts'
import { readBody } from '../../http/pipeline/body.ts'
import { normalizeContentType } from '../../http/pipeline/headers.ts'
import type { Service } from '../../operation.ts'
import { toDelivery } from '../../webhooks/delivery.ts'
import { findDeliveries } from '../../webhooks/list-deliveries/list-deliveries.sql.ts'
import { createCitizen } from './create-citizen.ts'
import { createSandbox } from './create-sandbox.ts'
import { endSandbox } from './end-sandbox.ts'
import { receiveEvent, refuseDeliveries } from './inbox.ts'
import { listEvents, listRequests, listTrackingNos } from './lists/store.ts'
import { moveOwnClock } from './move-own-clock.ts'
import type { OwnHandler } from './own-handler.ts'
import { setCondition } from './partner-condition.ts'
import { sendEvent, setOwnCallback } from './send-event.ts'
import { findSandbox, type PrivateSandbox } from './store.ts'

/** Making a sandbox writes about 20 rows. */
const MAX_CREATIONS_PER_SECOND = 5
const MAX_CHANGES_PER_SECOND = 20
const MAX_DELIVERIES = 20

/** `POST /sandbox`, and the addresses of each private sandbox. */
export function privateSandboxes(service: Service): Router {
  const router = Router({ strict: true, caseSensitive: true })
  const readJson = [normalizeContentType, ...readBody]
  const limitChanges = rateLimitByAddress(MAX_CHANGES_PER_SECOND)
  const change = (handler: OwnHandler) => [limitChanges, ...readJson, inSandbox(service, handler)]

  router.post('/sandbox', rateLimitByAddress(MAX_CREATIONS_PER_SECOND), createSandbox(service))
  router.get('/sandbox/:sandbox_id', inSandbox(service, readSandbox))
  router.delete('/sandbox/:sandbox_id', limitChanges, inSandbox(service, removeSandbox))
  router.post('/sandbox/:sandbox_id/clock', change(moveOwnClock))
  router.get('/sandbox/:sandbox_id/requests', inSandbox(service, readRequests))
  router.post('/sandbox/:sandbox_id/citizens', change(createCitizen))
  router.put('/sandbox/:sandbox_id/condition', change(setCondition))
  router.put('/sandbox/:sandbox_id/callback', change(setOwnCallback))
  router.post('/sandbox/:sandbox_id/events', change(sendEvent))
  router.get('/sandbox/:sandbox_id/deliveries', inSandbox(service, readDeliveries))
  router.get('/sandbox/:sandbox_id/inbox', inSandbox(service, readInbox))
  router.put('/sandbox/:sandbox_id/inbox/refusals', change(refuseDeliveries))
  router.post('/sandbox/inboxes/:partner_code/:key', receiveEvent(service))
  return router
}

/** Runs a handler with the sandbox of the address. */
const inSandbox =
  (service: Service, handler: OwnHandler): RequestHandler<{ sandbox_id: string }> =>
  async (req, res, next) => {
    if (!isSandboxId(req.params.sandbox_id)) return next()
    const sandbox = await findOwn(service, req.params.sandbox_id)
    const { status = 200, body } = await handler(service, sandbox, req as Request)
    res.status(status).set('Cache-Control', 'no-store')
    if (body) res.json(body)
    else res.end()
  }

const isSandboxId = (text: string) => /^sbx_[0-9A-Za-z]{22}$/.test(text)

async function findOwn({ db }: Service, sandboxId: string): Promise<PrivateSandbox> {
  const sandbox = isSandboxId(sandboxId) ? await findSandbox(db, sandboxId) : undefined
  if (!sandbox)
    throw new Failure('not_found', {
      message: 'This private sandbox has ended. Make a new one: POST /sandbox.',
    })
  return sandbox
}

/** `tracking_nos`: a page that was reloaded before it got a response finds its record here. */
const readSandbox: OwnHandler = async ({ db }, sandbox) => {
  const { sandbox_id, expires_at, advanced_seconds } = sandbox
  const tracking_nos = await listTrackingNos(db, sandbox)
  return { body: { sandbox_id, expires_at, advanced_seconds, tracking_nos } }
}

const removeSandbox: OwnHandler = async (service, sandbox) => {
  await endSandbox(service, sandbox)
  return { status: 204 }
}

const readRequests: OwnHandler = async ({ db }, { id }) => ({
  body: { requests: await listRequests(db, id) },
})

const readInbox: OwnHandler = async ({ db }, { id }) => ({ body: { events: await listEvents(db, id) } })

const readDeliveries: OwnHandler = async ({ db }, { partner_code }) => {
  const filter = { partnerCode: partner_code, status: undefined, after: undefined, limit: MAX_DELIVERIES }
  return { body: { deliveries: (await findDeliveries(db, filter)).map(toDelivery) } }
}
