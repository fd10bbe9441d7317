import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createCallbackClient } from '../kit/callback-client.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const callbacks = createCallbackClient(service)

/** The server of a partner that responds with 410. */
async function goneServer() {
  let count = 0
  const server = createServer((_req, res) => void (count++, res.writeHead(410).end()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    requestCount: () => count,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

describe('setCallback', () => {
  test('200: the changed partner; its events and records have the new URL', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    expect(await callbacks.setUrl(partner, callbacks.inbox)).toMatchObject({
      partner_code: partner.code,
      callback_url: callbacks.inbox,
    })
    const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    expect(record.callback_url).toBe(callbacks.inbox)
    const { webhook_id } = await callbacks.untilDelivery(partner, ({ type }) => type === 'profile.viewed')
    await callbacks.untilArrived(webhook_id)
  })

  test('200: pending events are sent to the new URL too', async () => {
    const partner = await service.partner()
    const { webhook_id } = await callbacks.failingDelivery(partner)
    await callbacks.setUrl(partner, callbacks.inbox)
    await service.advance(400)
    expect(await callbacks.untilArrived(webhook_id)).toMatchObject({ attempts: 1 })
  })

  test('200: null ends the deliveries; events of the time without a URL are not sent later', async () => {
    const [partner, citizen] = [await callbacks.reachable(), await service.citizen()]
    expect((await callbacks.setUrl(partner, null)).callback_url).toBeNull()
    expect((await partner.profiles.profileByQr(await citizen.showQr('share'))).record.callback_url).toBeNull()
    await callbacks.setUrl(partner, callbacks.inbox)
    expect(await callbacks.idsOf({ partner_code: partner.code })).toEqual([])
  })

  test('200: deliveries start again to an endpoint that responded with 410', async () => {
    await using gone = await goneServer()
    const partner = await service.partner({ callback_url: gone.url })
    const tried = async (outcome: string) => {
      const { webhook_id } = await callbacks.sendTest(partner)
      const ended = await callbacks.untilDelivery(
        partner,
        (delivery) => delivery.webhook_id === webhook_id && delivery.status === 'DEAD',
      )
      expect(ended.last_outcome).toBe(outcome)
    }
    await tried('HTTP 410')
    await tried('disabled')
    expect(gone.requestCount()).toBe(1)
    await callbacks.setUrl(partner, gone.url)
    await tried('HTTP 410')
    expect(gone.requestCount()).toBe(2)
  })
})

const UNSAFE = [
  'http://hotel.example/callback',
  'https://user:password@hotel.example/callback',
  'https://user@hotel.example/callback',
  'ftp://hotel.example/callback',
  'file:///etc/passwd',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://[fd00:ec2::254]/',
  'https://[::ffff:10.0.0.1]/',
  'http://localhost.hotel.example/',
  'hotel.example',
  '',
]

describe.each(['setCallback', 'createPartner'] as const)('%s', (id) => {
  const set = async (callback_url: string) => {
    if (id === 'setCallback') return callbacks.setUrl(await service.partner(), callback_url)
    const registration = {
      partner_code: `WITH_${Math.floor(Math.random() * 1e9)}`,
      name: 'Hotel',
      purpose: 'To test.',
      scopes: [],
    }
    return (await service.operator('createPartner', { body: { ...registration, callback_url } })).body.partner
  }

  test.each(UNSAFE)('422: the callback URL "%s"', async (url) => {
    expect(Object.keys((await refusal(set(url))).fields)).toEqual(['callback_url'])
  })

  test(`${id === 'setCallback' ? 200 : 201}: public https URLs; loopback in the sandbox`, async () => {
    for (const url of [
      'https://hotel.example:8443/callback?for=tiwala',
      'https://93.184.215.14/',
      'http://localhost:3000/',
      'http://127.0.0.1:3000/',
    ])
      expect((await set(url)).callback_url).toBe(url)
  })
})
