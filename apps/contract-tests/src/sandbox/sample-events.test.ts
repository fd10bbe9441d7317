// The events that a visitor of the sandbox sends to their own server or inbox.
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import { startWebhookReceiver } from '@tiwala/server/testing-receiver'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../kit/sandbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const TYPES = Object.keys(partner.webhooks)

const service = await startServiceForFile({})
const [mine, other] = [await createSandbox(service.url), await createSandbox(service.url)]

describe('sample events', () => {
  test('202: each type arrives in the inbox of this sandbox only, signed', async () => {
    for (const type of TYPES) expect((await mine.change('POST', 'events', { type })).status).toBe(202)
    await expect.poll(async () => (await mine.events()).length).toBe(TYPES.length)
    const events = await mine.events()
    expect(events.every(({ signature_ok, is_refused }) => signature_ok && !is_refused)).toBe(true)
    const typeOf = ({ body }: { body: string }) => (JSON.parse(body) as { type: string }).type
    expect(events.map(typeOf).toSorted()).toEqual(TYPES.toSorted())
    expect(await other.events()).toEqual([])
  })

  test('200: the inbox refuses as many deliveries as asked, and gets them again', async () => {
    expect((await mine.change('PUT', 'inbox/refusals', { count: 1 })).status).toBe(200)
    await other.change('POST', 'events', { type: 'webhook.test' })
    await expect.poll(() => other.events()).toMatchObject([{ is_refused: false, attempts: 1 }])
    // A forged event uses up no refusal.
    const path = { partner_code: mine.partner.partner_code }
    const { callback_url } = (await service.operator('readPartner', { path })).body
    const forged = await fetch(callback_url!, { method: 'POST', body: '{}' })
    expect(forged.status).toBe(204)
    await mine.change('POST', 'events', { type: 'webhook.test' })
    await expect.poll(async () => (await mine.events())[0]).toMatchObject({ is_refused: true, attempts: 1 })
    // The time until the next attempt.
    await mine.advance(3_600)
    await expect.poll(async () => (await mine.events())[0]).toMatchObject({ is_refused: false, attempts: 2 })
  })

  test('200: the events go to the own URL, until it is null again', async () => {
    const receiver = await startWebhookReceiver()
    onTestFinished(() => receiver.close())
    const before = (await mine.events()).length
    const target = async () => (await mine.change('GET', '')).body
    expect(await target()).toMatchObject({ callback_url: null })
    expect((await mine.change('PUT', 'callback', { callback_url: receiver.url })).status).toBe(200)
    expect(await target()).toMatchObject({ callback_url: receiver.url })
    await mine.change('POST', 'events', { type: 'profile.viewed' })
    await expect.poll(() => receiver.arrivals.length).toBe(1)
    expect((await mine.change('PUT', 'callback', { callback_url: null })).status).toBe(200)
    expect(await target()).toMatchObject({ callback_url: null })
    await mine.change('POST', 'events', { type: 'profile.viewed' })
    await expect.poll(async () => (await mine.events()).length).toBe(before + 1)
    expect(receiver.arrivals).toHaveLength(1)
  })
})
