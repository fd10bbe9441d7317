// The traffic of a partner and of citizens while keys are replaced, and how the partner starts to use its new
// secrets.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { startWebhookServer } from '@tiwala/server/testing-receiver'
import { expect } from 'vitest'
import { record } from '../src/contract-check/traffic.ts'
import { checkWebhook } from '../src/contract-check/webhooks.ts'
import { signatureOf } from '../src/kit/callback-client.ts'
import { createCredentialClient } from '../src/kit/credential-client.ts'
import { createClients } from '../src/kit/sandbox-bootstrap.ts'
import type { Citizen, Users } from '../src/kit/users.ts'
import type { Journey } from './open-loop.ts'

const CITIZENS = 20
/** How many citizens are created at once. */
const CREATED_AT_ONCE = 20
const GRACE_DAYS = 1
/** How long a partner uses its old secret after a rotation. */
const TAKEN_OVER_AFTER_MS = 3_000

export type Traffic = Awaited<ReturnType<typeof createTraffic>>

/** `citizenCount`: between how many citizens the journeys take turns. */
export async function createTraffic(
  service: Users,
  url: string,
  send: (request: Request) => Promise<Response>,
  citizenCount = CITIZENS,
) {
  let eventCount = 0
  /** The events whose signature does not match the partner's secret at the time of their arrival. */
  const unverified: string[] = []
  const receiver = await startWebhookServer((res, { headers, body }) => {
    eventCount++
    record(checkWebhook(headers, String(body)))
    const [webhook_id, webhook_timestamp] = [
      String(headers['webhook-id']),
      String(headers['webhook-timestamp']),
    ]
    const expected = signatureOf(held.webhook_secret, { webhook_id, webhook_timestamp, body: String(body) })
    if (!String(headers['webhook-signature']).split(' ').includes(expected)) unverified.push(webhook_id)
    res.writeHead(204).end()
  })
  const partner = await service.partner({ callback_url: receiver.url })
  const citizens: Citizen[] = []
  while (citizens.length < citizenCount)
    citizens.push(...(await Promise.all(Array.from({ length: CREATED_AT_ONCE }, () => service.citizen()))))
  const bootstrap = (await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as Bootstrap
  const held = { name: 'The partner', ...partner.credentials }
  const clients = () => createClients({ ...bootstrap, partner: held }, send)

  let turn = 0
  const nextCitizen = () => citizens[turn++ % citizens.length]!
  const journeys: Journey[] = [
    async (pause) => {
      const { uniqid, token } = nextCitizen()
      const qrValue = await clients().showQr(token, 'inquire')
      await pause()
      const { tracking_no } = (await clients().profiles.requestAuthorization(qrValue)).record
      await pause()
      await clients().app(token)('acceptAuthorization', { path: { tracking_no } })
      await pause()
      expect((await clients().profiles.inquire(tracking_no)).record.response?.uniqid).toBe(uniqid)
    },
    async (pause) => {
      const { uniqid, token } = nextCitizen()
      const qrValue = await clients().showQr(token, 'share')
      await pause()
      expect((await clients().profiles.profileByQr(qrValue)).record.response.uniqid).toBe(uniqid)
    },
    async (pause) => {
      const { uniqid, token } = nextCitizen()
      const { exchange_code } = (await clients().signIn(token)).body
      await pause()
      const accessToken = await clients().sso.generateToken(exchange_code)
      await pause()
      expect((await clients().sso.authenticate(accessToken)).uniqid).toBe(uniqid)
    },
  ]

  const { rotate } = createCredentialClient(service)
  async function rotateCredentials(): Promise<void> {
    for (const kind of ['secret_token', 'partner_secret'] as const) {
      const { secret } = await rotate(partner, GRACE_DAYS, kind)
      await sleep(TAKEN_OVER_AFTER_MS)
      held[kind] = secret
    }
  }

  async function rotateWebhookSecret(): Promise<void> {
    const { body } = await service.operator('rotateWebhookSecret', {
      path: { partner_code: partner.code },
      body: { grace_days: GRACE_DAYS },
    })
    await sleep(TAKEN_OVER_AFTER_MS)
    held.webhook_secret = body.webhook_secret
  }

  /**
   * Uses both secrets of the sandbox partner, which has no other traffic. Each use stores the secret under
   * the current pepper.
   */
  async function useSandboxPartner(): Promise<void> {
    const { profiles, sso } = createClients(bootstrap)
    await Promise.allSettled([profiles.inquire('unknown'), sso.generateToken('unknown')])
  }

  return {
    partner,
    journeys,
    rotateCredentials,
    rotateWebhookSecret,
    useSandboxPartner,
    countEvents: () => eventCount,
    unverified,
    close: receiver.close,
  }
}
