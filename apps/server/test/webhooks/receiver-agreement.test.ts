// A sandbox on the internet asks a server whether it expects events, before it sends any.
import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { findDisagreement } from '../../src/webhooks/receiver-agreement.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { type Arrival, startWebhookReceiver } from '../kit/webhook-receiver.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const sender = createSender({ allowLoopback: true })
afterAll(() => sender.close())

const answer = (status: number) => (res: ServerResponse) => void res.writeHead(status).end()
const ifSigned = (signed: number, unsigned: number) => (res: ServerResponse, arrival: Arrival) => {
  try {
    new Webhook(SECRET).verify(arrival.body, arrival.headers as Record<string, string>)
    answer(signed)(res)
  } catch {
    answer(unsigned)(res)
  }
}

test.each([
  ['refuses a wrong signature and accepts the right one', ifSigned(204, 401), /^undefined$/, 2],
  ['accepts everything, as a web page does', answer(200), /wrong signature.*answered 200/, 1],
  ['accepts nothing, as a page that does not exist', answer(404), /right signature.*answered 404/, 2],
  ['takes no POST', answer(405), /right signature.*answered 405/, 2],
  ['refuses the right signature', ifSigned(400, 200), /wrong signature.*answered 200/, 1],
  ['fails', answer(500), /wrong signature.*answered 500/, 1],
  ['leads elsewhere', answer(302), /wrong signature.*answered 302/, 1],
  ['closes the connection', (res: ServerResponse) => void res.destroy(), /failed \(connection closed\)/, 1],
] as const)('a server that %s', async (_name, respond, expected, requests) => {
  await using receiver = await startWebhookReceiver(respond)
  const found = await findDisagreement(sender, `${receiver.url}/callback`, [SECRET])
  expect(String(found)).toMatch(expected)
  expect(receiver.arrivals.length).toBe(requests)
  expect(JSON.parse(String(receiver.arrivals[0]!.body))).toMatchObject({ data: { is_test: true } })
})
