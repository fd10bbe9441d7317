import { createHmac } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import type { InboxEvent } from '@tiwala/server/sandbox-bootstrap'
import { vi } from 'vitest'
import type { TestService } from './test-service.ts'
import type { Partner } from './users.ts'

type Delivery = Schemas['Delivery']
export type Filter = {
  partner_code?: string
  status?: Schemas['DeliveryStatus']
  limit?: number
  cursor?: string
}

const POLLING = { timeout: 60_000, interval: 50 }
/** An address that refuses connections. */
export const NOWHERE = 'http://localhost:9/callback'

/** The operations of the operator on events, and the inbox that receives them. */
export function createCallbackClient(service: TestService) {
  const { operator, url } = service
  const inbox = `${url}/sandbox/inbox`
  const setUrl = async ({ code }: Partner, callback_url: string | null) =>
    (await operator('setCallback', { path: { partner_code: code }, body: { callback_url } })).body
  const sendTest = async ({ code }: Partner) =>
    (await operator('testCallback', { path: { partner_code: code } })).body
  const replay = async (webhook_id: string) =>
    (await operator('replayDelivery', { path: { webhook_id } })).body
  const list = async (query: Filter) => (await operator('listDeliveries', { query })).body
  const arrivals = async () =>
    ((await (await fetch(`${inbox}.json`)).json()) as { events: InboxEvent[] }).events

  /** Waits until one of the partner's deliveries meets the condition. */
  const untilDelivery = ({ code }: Partner, holds: (delivery: Delivery) => boolean) =>
    vi.waitUntil(async () => (await list({ partner_code: code })).deliveries.find(holds), POLLING)

  /** Waits until an event has arrived `attempts` times. */
  const untilArrived = (webhookId: string, attempts = 1) =>
    vi.waitUntil(
      async () =>
        (await arrivals()).find(
          (arrival) => arrival.webhook_id === webhookId && arrival.attempts >= attempts,
        ),
      POLLING,
    )

  /** An event with two failed attempts. The next attempt is minutes away. */
  async function failingDelivery(partner: Partner): Promise<Delivery> {
    await setUrl(partner, NOWHERE)
    const { webhook_id } = await sendTest(partner)
    await untilDelivery(partner, (delivery) => delivery.webhook_id === webhook_id && delivery.attempts === 1)
    await service.advance(6)
    return untilDelivery(partner, (delivery) => delivery.webhook_id === webhook_id && delivery.attempts === 2)
  }

  /** A dead event. */
  async function deadDelivery(partner: Partner): Promise<Delivery> {
    const { webhook_id } = await failingDelivery(partner)
    await setUrl(partner, null)
    await service.advance(400)
    return untilDelivery(
      partner,
      (delivery) => delivery.webhook_id === webhook_id && delivery.status === 'DEAD',
    )
  }

  /** The secrets that have signed the partner's next event, in the order of its signatures. */
  async function signersOf(partner: Partner, secrets: string[]): Promise<string[]> {
    const { webhook_id } = await sendTest(partner)
    const arrival = await untilArrived(webhook_id)
    return arrival
      .webhook_signature!.split(' ')
      .map(
        (signature) =>
          secrets.find((secret) => signatureOf(secret, arrival) === signature) ?? 'an unknown secret',
      )
  }

  return {
    inbox,
    /** A partner whose events arrive in the inbox. */
    reachable: () => service.partner({ callback_url: inbox }),
    setUrl,
    sendTest,
    replay,
    list,
    idsOf: async (query: Filter) => (await list(query)).deliveries.map(({ webhook_id }) => webhook_id),
    arrivals,
    untilDelivery,
    untilArrived,
    failingDelivery,
    deadDelivery,
    signersOf,
  }
}

type Signed = { webhook_id: string | null; webhook_timestamp: string | null; body: string }

/** The signature of Standard Webhooks, implemented without the code of the server. */
export function signatureOf(secret: string, { webhook_id, webhook_timestamp, body }: Signed): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${webhook_id}.${webhook_timestamp}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
