// What an administrator sees of a citizen, and what the audit keeps of the administrator.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { exportEvents } from '../kit/audit.ts'
import { errorBody } from '../kit/error-body.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})

const REASON = 'Ticket 4711'
const read = (uniqid: string, reason = REASON) =>
  service.operator('readCitizen', { path: { uniqid }, query: { reason } })
const readEvents = async (requestId: string | null | undefined) =>
  (await exportEvents(service.operator)).filter(({ request_id }) => request_id === requestId)

describe('readCitizen', () => {
  test('200: the preferences, open requests, disclosures and disputes of this citizen', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const other = await service.pending()
    await other.partner.profiles.profileByQr(await other.citizen.showQr('share'))
    const { record, requestId } = await partner.profiles.profileByQr(await citizen.showQr('share'))
    await citizen.app('disputeDisclosure', { path: { disclosure_id: requestId } })
    await citizen.app('replacePreferences', {
      body: { frozen: false, blocked_partners: [other.partner.code] },
    })
    const { body } = await read(citizen.uniqid)
    const named = { partner_code: partner.code, partner_name: (await partner.read()).name }
    expect(body).toMatchObject({
      frozen: false,
      blocked_partners: 1,
      open_requests: [{ tracking_no: trackingNo, state: 'PENDING', ...named }],
      disclosures: [
        {
          id: requestId,
          way: 'QR',
          partner: { partner_code: partner.code },
          tracking_no: record.tracking_no,
        },
      ],
      disputes: [{ disclosure_id: requestId, way: 'QR', ...named }],
    })
    expect(Date.parse(body.changed_at!)).toBeLessThanOrEqual(Date.parse(body.open_requests[0]!.requested_at))
    expect(body.disclosures[0]!.disputed_at).toBe(body.disputes[0]!.disputed_at)

    await citizen.decline(trackingNo)
    await citizen.app('replacePreferences', { body: { frozen: true, blocked_partners: [] } })
    expect((await read(citizen.uniqid)).body).toMatchObject({
      frozen: true,
      blocked_partners: 0,
      open_requests: [],
    })
  })

  test('200: no data of the profile, no field that was disclosed, and no partner that is blocked', async () => {
    const [partner, blocked, citizen] = [
      await service.partner(),
      await service.partner(),
      await service.citizen(),
    ]
    await partner.sso.signIn(await citizen.exchangeCode(partner.code))
    await citizen.app('replacePreferences', { body: { frozen: false, blocked_partners: [blocked.code] } })
    const text = JSON.stringify((await read(citizen.uniqid)).body)
    expect(text).toContain(partner.code)
    const values = Object.values(citizen.profile).filter(
      (value) => typeof value === 'string' && value.length > 3,
    )
    for (const word of [...values, ...Object.keys(citizen.profile), citizen.uniqid, blocked.code])
      expect(text).not.toContain(word)
  })

  test('200: the audit has the administrator and the reason; the history of the citizen has nothing', async () => {
    const citizen = await service.citizen()
    const { headers } = await read(citizen.uniqid)
    const events = await readEvents(headers.get('x-request-id'))
    expect(events).toMatchObject([
      { kind: 'citizen.read', actor: 'sandbox-operator', reason: REASON, detail: null, partner_code: null },
    ])
    expect(JSON.stringify(events)).not.toContain(citizen.uniqid)
    expect(await citizen.disclosures()).toEqual([])
  })

  test('404: an unknown and an erased citizen have the same response, and the audit has both requests', async () => {
    const citizen = await service.citizen()
    await service.operator('eraseCitizen', { path: { uniqid: citizen.uniqid } })
    const [erased, unknown] = [await refusal(read(citizen.uniqid)), await refusal(read('UNKNOWN'))]
    for (const { status, code, message, requestId } of [erased, unknown]) {
      expect({ status, code, message }).toEqual({
        status: 404,
        code: 'not_found',
        message: unknown.message.replace(unknown.requestId!, requestId!),
      })
      expect(await readEvents(requestId)).toMatchObject([
        { kind: 'citizen.read', actor: 'sandbox-operator', reason: REASON, detail: 'unknown' },
      ])
    }
  })

  test('422: without a reason; 403: without the scope. The audit has neither', async () => {
    const { uniqid } = await service.citizen()
    const send = async (scope: string, query: Record<string, string>) =>
      errorBody(
        await service.send('readCitizen', {
          path: { uniqid },
          query,
          headers: { Authorization: `Bearer ${await service.tokens.operator(scope)}` },
        }),
      )
    const [missing, refused] = [
      await send('citizens:read', {}),
      await send('citizens:write citizens:erase audit:read', { reason: REASON }),
    ]
    expect([missing.status, refused.status]).toEqual([422, 403])
    for (const { request_id } of [missing, refused]) expect(await readEvents(request_id)).toEqual([])
  })

  test('500: no response if its audit row cannot be written', async () => {
    const { uniqid } = await service.citizen()
    await sql`alter table audit_event add constraint refuse check (kind <> 'citizen.read') not valid`.execute(
      service.db,
    )
    expect((await refusal(read(uniqid))).status).toBe(500)
    await sql`alter table audit_event drop constraint refuse`.execute(service.db)
    expect((await read(uniqid)).body.frozen).toBe(false)
  })
})
