import type { Query as OperationQuery } from '@tiwala/contract'
import { basePathOf } from '@tiwala/kit/operations'
import { operatorApi } from '@tiwala/kit/users'
import { describe, expect, test } from 'vitest'
import { untilSealed } from '../kit/audit.ts'
import { readPages } from '../kit/read-pages.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

type Query = OperationQuery<'listAuditEvents'>
const list = async (query: Query) => (await service.operator('listAuditEvents', { query })).body
const kinds = async (query: Query) => (await list(query)).events.map(({ kind }) => kind)

describe('listAuditEvents', () => {
  test('200: the events, newest first, without data of the citizen, and sealed within seconds', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const { headers } = await citizen.accept(trackingNo)
    await partner.profiles.inquire(trackingNo)
    await untilSealed(service.operator)
    const { events } = await list({ partner_code: partner.code })
    expect(events.map(({ kind }) => kind)).toEqual([
      'profile.disclosed',
      'authorization.accepted',
      'authorization.requested',
      'partner.created',
    ])
    expect(events[1]).toEqual({
      id: expect.any(Number),
      occurred_at: expect.any(String),
      kind: 'authorization.accepted',
      partner_code: partner.code,
      tracking_no: trackingNo,
      request_id: headers.get('x-request-id'),
      actor: null,
      detail: null,
      reason: null,
      seal: { checkpoint: expect.any(Number), position: expect.any(Number), leaf: expect.any(String) },
    })
    // The id of an event may be equal to a postal code.
    const words = Object.values(citizen.profile).filter(
      (value) => typeof value === 'string' && value.length > 3 && !/^\d{4,5}$/.test(value),
    )
    for (const word of words) expect(JSON.stringify(events)).not.toContain(word)
  })

  test('200: filtered by kind, partner, time and checkpoint; an empty list without a match', async () => {
    const partner = await service.partner()
    await service.operator('suspendPartner', { path: { partner_code: partner.code } })
    await service.advance(60)
    await service.operator('resumePartner', { path: { partner_code: partner.code } })
    const partner_code = partner.code
    await untilSealed(service.operator)
    expect(await kinds({ partner_code, kind: 'partner.suspended' })).toEqual(['partner.suspended'])
    const [resumed, suspended] = (await list({ partner_code })).events
    expect(await kinds({ partner_code, from: resumed!.occurred_at })).toEqual(['partner.resumed'])
    expect(await kinds({ partner_code, to: suspended!.occurred_at })).toEqual(['partner.created'])
    const { checkpoint } = suspended!.seal!
    const sealed = (await list({ checkpoint, limit: 1000 })).events
    expect(sealed.map(({ id }) => id)).toContain(suspended!.id)
    expect(new Set(sealed.map(({ seal }) => seal?.checkpoint))).toEqual(new Set([checkpoint]))
    expect(await list({ partner_code: 'UNKNOWN' })).toEqual({ events: [], next_cursor: null })
    expect(await kinds({ kind: 'nothing.happened' })).toEqual([])
  })

  test('200: filtered by actor, also together with the other filters', async () => {
    const { code: partner_code } = await service.partner()
    // Other tests use the same service.
    const [ana, ben] = [`ana ${partner_code}`, `ben ${partner_code}`]
    const as = async (subject: string) =>
      operatorApi(
        service.url + basePathOf('operator'),
        await service.tokens.operator('partners:write', undefined, subject),
      )
    await (
      await as(ana)
    )('suspendPartner', { path: { partner_code } })
    await (
      await as(ana)
    )('resumePartner', { path: { partner_code } })
    await (
      await as(ben)
    )('suspendPartner', { path: { partner_code } })
    const other = await service.partner()
    await (
      await as(ana)
    )('suspendPartner', { path: { partner_code: other.code } })
    const [suspended, resumed] = ['partner.suspended', 'partner.resumed']
    expect(await kinds({ actor: ana })).toEqual([suspended, resumed, suspended])
    expect(await kinds({ actor: ana, kind: resumed })).toEqual([resumed])
    expect(await kinds({ actor: ana, partner_code })).toEqual([resumed, suspended])
    expect(await kinds({ actor: ana, partner_code, kind: suspended })).toEqual([suspended])
    expect(await kinds({ actor: ben })).toEqual([suspended])
    // It is the whole name, and no part of it.
    expect(await kinds({ actor: ana.slice(0, -1) })).toEqual([])
    await untilSealed(service.operator)
    const [newest] = (await list({ actor: ben })).events
    const { checkpoint } = newest!.seal!
    expect((await list({ actor: ben, checkpoint })).events).toEqual([newest])
    const paged: string[] = []
    for await (const { events } of readPages((after) => list({ actor: ana, limit: 1, ...after })))
      paged.push(...events.map(({ kind }) => kind))
    expect(paged).toEqual([suspended, resumed, suspended])
  })

  test('200: pages without duplicates or gaps', async () => {
    const partner_code = (await service.partner()).code
    for (let index = 0; index < 2; index++) {
      await service.operator('suspendPartner', { path: { partner_code } })
      await service.operator('resumePartner', { path: { partner_code } })
    }
    const whole = (await list({ partner_code })).events.map(({ id }) => id)
    const seen: number[] = []
    for await (const { events } of readPages((after) => list({ partner_code, limit: 2, ...after }))) {
      seen.push(...events.map(({ id }) => id))
      // A new event of another partner must not appear in these pages.
      await service.partner()
    }
    expect([seen, seen.length]).toEqual([whole, 5])
  })

  test('422: an invented cursor; an invalid kind, partner code, actor or time; a limit out of range', async () => {
    const wrong: [Query, string][] = [
      [{ cursor: 'made-up' }, 'cursor'],
      [{ kind: 'Not A Kind' }, 'kind'],
      [{ partner_code: 'not a code' }, 'partner_code'],
      [{ from: 'yesterday' }, 'from'],
      [{ to: '2026-13-01T00:00:00Z' }, 'to'],
      [{ to: '2026-02-29T00:00:00Z' }, 'to'],
      [{ from: '0001-01-01T00:00:00+00:01' }, 'from'],
      [{ to: '9999-12-31T23:59:59-23:59' }, 'to'],
      [{ actor: '' }, 'actor'],
      [{ actor: 'a\u0000' }, 'actor'],
      [{ checkpoint: 0 }, 'checkpoint'],
      [{ limit: 1001 }, 'limit'],
    ]
    for (const [query, field] of wrong)
      expect(Object.keys((await refusal(list(query))).fields)).toEqual([field])
  })
})
