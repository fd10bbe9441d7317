import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type VerifiedWebhook, verifyWebhook, type WebhookError } from '@tiwala/client'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  at,
  BODY,
  headersWith,
  ID,
  OTHER_SECRET,
  SECRET,
  SENT_AT,
  sign,
  verificationOutcome,
  verify,
} from '../kit/signed-event.ts'

describe('verifyWebhook accepts', () => {
  test('events signed by the Standard Webhooks library, as text and as bytes', async () => {
    const expected = { id: ID, timestamp: at(SENT_AT), event: JSON.parse(BODY) as object }
    expect(await verify()).toEqual(expected)
    expect(await verify({ body: Buffer.from(BODY) })).toEqual(expected)
    expect(await verify({ body: new TextEncoder().encode(BODY) })).toEqual(expected)
    const buffered = await new Response(BODY).arrayBuffer()
    expect(await verifyWebhook(buffered, headersWith(sign()), SECRET, { now: at(SENT_AT) })).toEqual(expected)
  })

  test('an unknown type of a later version, with multi-byte characters', async () => {
    const body = '{"type":"partner.renamed","data":{"name":"Peñaflor ✓ 𝄞"}}'
    const headers = headersWith(sign(body))
    expect((await verify({ body, headers })).event).toEqual(JSON.parse(body))
    expect((await verify({ body: Buffer.from(body), headers })).event).toEqual(JSON.parse(body))
  })

  test('headers in any case, as Headers, and as lists', async () => {
    const plain = headersWith(sign())
    const shouted = Object.fromEntries(
      Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const listed = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]]))
    for (const headers of [new Headers(plain), shouted, listed])
      expect(await verificationOutcome({ headers })).toBe('verified')
  })

  test('headers and body as node:http receives them', async () => {
    let verified: Promise<VerifiedWebhook> | undefined
    const server = createServer(async (req, res) => {
      verified = verify({ body: await buffer(req), headers: req.headers })
      res.writeHead(204).end()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await fetch(url, { method: 'POST', headers: headersWith(sign()), body: BODY }).finally(() =>
      server.close(),
    )
    expect((await verified)?.event.type).toBe('webhook.test')
  })

  test('two signatures or two secrets during a rotation, whichever side rotates first', async () => {
    const [mine, other] = [sign(), sign(BODY, OTHER_SECRET)]
    expect(await verificationOutcome({ headers: headersWith(`${other} ${mine}`) })).toBe('verified')
    expect(await verificationOutcome({ secret: [OTHER_SECRET, SECRET] })).toBe('verified')
    expect(
      await verificationOutcome({ headers: headersWith(`v1a,${mine.slice(3)} v2,x junk ${mine}`) }),
    ).toBe('verified')
  })

  test('a timestamp up to 300 seconds in the past or the future, or within toleranceSeconds', async () => {
    for (const seconds of [-300, 300])
      expect(await verificationOutcome({ now: at(SENT_AT + seconds) })).toBe('verified')
    expect(await verificationOutcome({ now: at(SENT_AT + 301) })).toBe('timestamp_too_old')
    expect(await verificationOutcome({ now: at(SENT_AT - 301) })).toBe('timestamp_too_new')
    expect(await verificationOutcome({ now: at(SENT_AT + 11), toleranceSeconds: 10 })).toBe(
      'timestamp_too_old',
    )
  })

  test.each([
    [0, 'verified', 'verified'],
    [600, 'timestamp_too_old', 'Message timestamp too old'],
    [-600, 'timestamp_too_new', 'Message timestamp too new'],
  ])(
    'the clock of this machine, as the library does: sent %d seconds ago',
    async (ageSeconds, ...verdicts) => {
      const sentAt = Math.floor(Date.now() / 1000) - ageSeconds
      const headers = headersWith(sign(BODY, SECRET, sentAt), sentAt)
      const ours = verifyWebhook(BODY, headers, SECRET)
      const theirs = Promise.resolve().then(() => new Webhook(SECRET).verify(BODY, headers))
      const verdictOf = (call: Promise<unknown>) =>
        call.then(
          () => 'verified',
          (error: Partial<WebhookError>) => error.code ?? error.message,
        )
      expect([await verdictOf(ours), await verdictOf(theirs)]).toEqual(verdicts)
    },
  )

  test('the public example of Standard Webhooks, which is not one of our events', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const now = at(1_614_265_330)
    expect(await verificationOutcome({ body: '{"test": 2432232314}', headers, secret, now })).toBe(
      'body_invalid',
    )
    expect(await verificationOutcome({ body: '{"test": 2432232315}', headers, secret, now })).toBe(
      'signature_invalid',
    )
  })
})
