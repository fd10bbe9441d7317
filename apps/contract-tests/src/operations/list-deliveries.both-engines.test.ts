import type { Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { createCallbackClient, NOWHERE } from '../kit/callback-client.ts'
import { readPages } from '../kit/read-pages.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const callbacks = createCallbackClient(service)

describe('listDeliveries', () => {
  test('200: the type and the record of each delivery, without data of the citizen', async () => {
    const [partner, citizen] = [await callbacks.reachable(), await service.citizen()]
    const { record } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    const body = await callbacks.list({ partner_code: partner.code })
    expect(body).toMatchObject({
      deliveries: [
        {
          type: 'profile.viewed',
          tracking_no: record.tracking_no,
          partner_code: partner.code,
          partner_name: (await partner.read()).name,
        },
      ],
      next_cursor: null,
    })
    for (const word of Object.values(citizen.profile).filter(
      (value) => typeof value === 'string' && value.length > 3,
    ))
      expect(JSON.stringify(body)).not.toContain(word)
  })

  test('200: deliveries of all partners, newest first; of one partner; none of an unknown one', async () => {
    const [a, b] = [await callbacks.reachable(), await callbacks.reachable()]
    const first = (await callbacks.sendTest(a)).webhook_id
    const second = (await callbacks.sendTest(b)).webhook_id
    const third = (await callbacks.sendTest(a)).webhook_id
    expect(await callbacks.idsOf({ limit: 3 })).toEqual([third, second, first])
    expect(await callbacks.idsOf({ partner_code: a.code })).toEqual([third, first])
    expect(await callbacks.list({ partner_code: 'UNKNOWN' })).toEqual({ deliveries: [], next_cursor: null })
  })

  test('200: filtered by status: pending, delivered, dead', async () => {
    const partner = await service.partner()
    const dead = await callbacks.deadDelivery(partner)
    await callbacks.setUrl(partner, callbacks.inbox)
    const delivered = await callbacks.sendTest(partner)
    await callbacks.untilDelivery(partner, ({ status }) => status === 'DELIVERED')
    await callbacks.setUrl(partner, NOWHERE)
    const pending = await callbacks.sendTest(partner)
    const withStatus = (status: Schemas['DeliveryStatus']) =>
      callbacks.idsOf({ partner_code: partner.code, status })
    expect(await withStatus('DEAD')).toEqual([dead.webhook_id])
    expect(await withStatus('DELIVERED')).toEqual([delivered.webhook_id])
    expect(await withStatus('PENDING')).toEqual([pending.webhook_id])
  })

  test('200: pages without duplicates or gaps', async () => {
    const partner = await callbacks.reachable()
    const created: string[] = []
    for (let index = 0; index < 5; index++) created.unshift((await callbacks.sendTest(partner)).webhook_id)
    const [seen, cursors]: [string[], (string | null)[]] = [[], []]
    const pages = readPages((after) => callbacks.list({ partner_code: partner.code, limit: 2, ...after }))
    for await (const { deliveries, next_cursor } of pages) {
      seen.push(...deliveries.map(({ webhook_id }) => webhook_id))
      cursors.push(next_cursor)
      // A newer delivery must not appear in these pages.
      await callbacks.sendTest(partner)
    }
    expect(seen).toEqual(created)
    expect(cursors).toEqual([created[1], created[3], null])
  })

  test('422: an invented cursor; a limit out of range; an invalid status or partner code', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ cursor: 'made-up' }, 'cursor'],
      [{ limit: 0 }, 'limit'],
      [{ limit: 101 }, 'limit'],
      [{ status: 'LOST' }, 'status'],
      [{ partner_code: 'not a code' }, 'partner_code'],
    ]
    for (const [query, field] of wrong)
      expect(Object.keys((await refusal(callbacks.list(query))).fields)).toEqual([field])
  })
})
