import { describe, expect, test } from 'vitest'
import { signatureOf } from '../kit/callback-client.ts'
import { event, createInboxClient, type Sent } from '../kit/sandbox-inbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

// A separate service, because other tests cause events of the default sandbox's partner.
const service = await startServiceForFile({})
const inbox = await createInboxClient(service)

describe('the inbox of the sandbox', () => {
  test('204: an event of the sandbox partner arrives, signed with its secret', async () => {
    const { body } = await service.operator('testCallback', { path: { partner_code: 'SANDBOX' } })
    const arrival = await inbox.untilArrived(body.webhook_id)
    expect(arrival).toMatchObject({
      attempts: 1,
      signature_ok: true,
      webhook_signature: signatureOf(inbox.secret, arrival),
    })
    expect(JSON.parse(arrival.body)).toEqual({
      type: 'webhook.test',
      timestamp: body.occurred_at,
      data: { is_test: true },
    })
  })

  test('204: the inbox stores the event as received', async () => {
    const body = event('authorization.accepted', {
      tracking_no: '7M3K9QXV4T0HB2ZJ6WFE8RC5ND',
      state: 'ACCEPTED',
      scope: 'PROFILE_INQUIRE',
    })
    const { id, timestamp, signature, response } = await inbox.postSigned(body)
    expect([response.status, await response.text()]).toEqual([204, ''])
    const remembered = { webhook_id: id, webhook_timestamp: timestamp, webhook_signature: signature, body }
    expect(await inbox.newest()).toEqual({
      received_at: expect.any(String),
      attempts: 1,
      is_refused: false,
      signature_ok: true,
      ...remembered,
    })
  })

  test('204: repeated deliveries are one event', async () => {
    const { id } = await inbox.postSigned(event('webhook.test'))
    await inbox.postSigned(event('profile.viewed'))
    const before = (await inbox.arrivals()).length
    await inbox.postSigned(event('webhook.test'), { id })
    expect((await inbox.arrivals()).length).toBe(before)
    expect(await inbox.newest()).toMatchObject({ webhook_id: id, attempts: 2 })
  })

  test('204: a signature is valid however late the event arrives', async () => {
    await inbox.postSigned(event('webhook.test'), { ageSeconds: 400 * 86_400 })
    expect((await inbox.newest()).signature_ok).toBe(true)
  })

  test('204: during a rotation, one of two signatures is enough', async () => {
    const [body, id, timestamp] = [event('webhook.test'), 'evt_two', '1795161612']
    const fitting = signatureOf(inbox.secret, { webhook_id: id, webhook_timestamp: timestamp, body })
    await inbox.post(body, { id, timestamp, signature: `v1,AAAA ${fitting}` })
    expect(await inbox.newest()).toMatchObject({ webhook_id: id, signature_ok: true })
  })

  test('204: an event without a valid signature is marked, and replaces no signed event', async () => {
    const body = event('webhook.test')
    const { id, timestamp, signature } = await inbox.postSigned(body)
    const forgeries: [Sent, string][] = [
      [{ id, timestamp, signature: 'v1,AAAA' }, body],
      [{ id, timestamp, signature: signature.replace('v1,', 'v2,') }, body],
      [{ id, timestamp }, body],
      [{ id, timestamp: 'now', signature }, body],
      [{ id, timestamp: String(Number(timestamp) + 1), signature }, body],
      [{ id: 'evt_other', timestamp, signature }, body],
      [{ timestamp, signature }, body],
      [{ id, timestamp, signature }, `${body} `],
      [{}, body],
    ]
    for (const [sent, text] of forgeries) {
      expect((await inbox.post(text, sent)).status).toBe(204)
      expect(await inbox.newest()).toMatchObject({ webhook_id: sent.id ?? null, signature_ok: false })
    }
    const ours = (await inbox.arrivals()).filter(
      (arrival) => arrival.signature_ok && arrival.webhook_id === id,
    )
    expect(ours).toMatchObject([{ attempts: 1 }])
  })

  test.each(['', 'no JSON', 'null', '7', '[]', '{"type":{},"data":"x"}', '{"data":{"tracking_no":7}}'])(
    '204: "%s" is no event, and no harm',
    async (body) => {
      expect((await inbox.post(body)).status).toBe(204)
      expect((await inbox.newest()).body).toBe(body)
      expect(await inbox.page()).toContain('no event')
    },
  )

  test('413: a body over 4 KiB is not kept', async () => {
    const [most, tooMuch] = ['x'.repeat(4 * 1024), 'y'.repeat(4 * 1024 + 1)]
    expect((await inbox.post(most)).status).toBe(204)
    const refused = await inbox.post(tooMuch)
    expect([refused.status, await refused.json()]).toEqual([
      413,
      expect.objectContaining({ error: 'payload_too_large' }),
    ])
    expect((await inbox.newest()).body).toBe(most)
  })

  test('400: a header that is too long, and a body with the character NUL', async () => {
    for (const [body, sent] of [
      ['', { id: 'x'.repeat(201) }],
      ['\0', {}],
    ] as const)
      expect((await inbox.post(body, sent)).status).toBe(400)
  })

  test('400: a body that cannot be decompressed', async () => {
    const refused = await fetch(inbox.url, {
      method: 'POST',
      headers: { 'Content-Encoding': 'gzip' },
      body: 'not gzip',
    })
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'malformed_request' }),
    ])
  })

  test('204: the inbox keeps the last hundred events, newest first', async () => {
    for (let index = 0; index < 101; index++) await inbox.postSigned(event(`number.${index}`))
    const arrivals = (await inbox.arrivals()).filter(({ signature_ok }) => signature_ok)
    const kept = arrivals.map(({ body }) => (JSON.parse(body) as { type: string }).type)
    expect(kept).toEqual(Array.from({ length: 100 }, (_, index) => `number.${100 - index}`))
  })
})
