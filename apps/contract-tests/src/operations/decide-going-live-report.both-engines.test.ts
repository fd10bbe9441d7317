// The gate to the live service: a partner sends no request until its report is accepted.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mintKey } from '@tiwala/server/testing'
import { importJWK, type JWK, SignJWT } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { nameOperator } from '../kit/operator-name.ts'
import { refusal, startServiceForFile, type TestService } from '../kit/test-service.ts'

/** The key of a sandbox that the service knows, and of one that it does not. */
const [known, unknown] = [mintKey('audit'), mintKey('audit')]
const { kty, crv, kid, x } = known
const folder = await mkdtemp(join(tmpdir(), 'tiwala-keys-'))
afterAll(() => rm(folder, { recursive: true }))
const file = join(folder, 'keys.json')
await writeFile(file, JSON.stringify({ keys: [{ kty, crv, kid, x, alg: 'EdDSA', use: 'sig' }] }))

const gated = await startServiceForFile({ TIWALA_GOING_LIVE_KEYS_FILE: file })
const open = await startServiceForFile()

const WRITTEN_AT = '2026-11-20T09:00:00.000Z'

async function write(claims: Record<string, unknown>, key: JWK = known, typ = 'tiwala-receipt+jwt') {
  return new SignJWT({ event: 'report.written', is_ready: true, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid!, typ })
    .setJti('report-1')
    .setIssuedAt(new Date(WRITTEN_AT))
    .sign(await importJWK(key, 'EdDSA'))
}

async function prepare(service: TestService = gated) {
  const partner = await service.partner()
  const path = { partner_code: partner.code }
  const decide = async (report: string, status: 'ACCEPTED' | 'RETURNED', query = {}) =>
    (await service.operator('decideGoingLiveReport', { path, query, body: { report, status } })).body
  return {
    partner,
    decide,
    report: await write({ live_partner_code: partner.code }),
    resume: async () => (await service.operator('resumePartner', { path })).body,
    kinds: async () =>
      (await service.operator('listAuditEvents', { query: path })).body.events.map(({ kind }) => kind),
  }
}

describe('decideGoingLiveReport', () => {
  test('200: a new partner is suspended until its report is accepted and it is resumed', async () => {
    const { partner, decide, report, resume, kinds } = await prepare()
    expect(await partner.read()).toMatchObject({
      status: 'SUSPENDED',
      going_live: { status: 'WAITING', report_id: null, decided_by: null },
    })
    expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('partner_suspended')
    expect((await refusal(resume())).code).toBe('going_live_report_required')

    const decided = await decide(report, 'ACCEPTED', { reason: 'Ticket 4711' })
    expect(decided).toMatchObject({
      status: 'SUSPENDED',
      going_live: {
        status: 'ACCEPTED',
        report_id: 'report-1',
        written_at: WRITTEN_AT,
        decided_by: 'sandbox-operator',
        reason: 'Ticket 4711',
      },
    })
    expect(await partner.read()).toEqual(decided)
    await nameOperator(gated, 'sandbox-operator', 'Ana Reyes')
    expect(await partner.read()).toEqual({
      ...decided,
      going_live: { ...decided.going_live, decided_by_name: 'Ana Reyes' },
    })
    expect((await resume()).status).toBe('ACTIVE')
    expect((await refusal(partner.profiles.inquire('unknown'))).code).toBe('tracking_no_not_found')
    expect(await kinds()).toEqual(
      expect.arrayContaining(['partner.created', 'report.accepted', 'partner.resumed']),
    )
  })

  test('200: a returned report keeps the partner suspended, also one that is returned later', async () => {
    const { partner, decide, report, resume, kinds } = await prepare()
    expect((await decide(report, 'RETURNED')).going_live?.status).toBe('RETURNED')
    expect((await refusal(resume())).code).toBe('going_live_report_required')
    await decide(report, 'ACCEPTED')
    await decide(report, 'RETURNED')
    expect((await refusal(resume())).code).toBe('going_live_report_required')
    expect((await partner.read()).status).toBe('SUSPENDED')
    const events = await kinds()
    expect(events.filter((kind) => kind === 'report.returned')).toHaveLength(2)
    expect(events).not.toContain('partner.resumed')
  })

  test('200: a report that is not ready can be returned, but not accepted (422)', async () => {
    const { partner, decide } = await prepare()
    const report = await write({ live_partner_code: partner.code, is_ready: false })
    expect((await refusal(decide(report, 'ACCEPTED'))).fields).toEqual({
      status: ['must be RETURNED: the report is not ready'],
    })
    expect((await decide(report, 'RETURNED')).going_live?.status).toBe('RETURNED')
  })

  test.each<[string, string, (own: string, code: string) => string | Promise<string>]>([
    [
      'is altered',
      'is not genuine',
      async (own, code) => swapClaims(own, await write({ live_partner_code: code, n: 1 })),
    ],
    ['has another type', 'is not genuine', (_own, code) => write({ live_partner_code: code }, known, 'JWT')],
    ['is no JWT', 'is not genuine', () => 'a.b.c'],
    [
      'has an unknown key',
      'is signed with a key that the service does not know (TIWALA_GOING_LIVE_KEYS_FILE)',
      (_own, code) => write({ live_partner_code: code }, unknown),
    ],
    [
      'is a receipt',
      'is a receipt, and no report for going live',
      (_own, code) => write({ live_partner_code: code, event: 'citizen.erased' }),
    ],
    ['is for another partner', 'is for another partner', () => write({ live_partner_code: 'OTHER' })],
  ])('422: a report that %s is refused, and changes nothing', async (_what, reason, forge) => {
    const { partner, decide, report, resume, kinds } = await prepare()
    const forged = await forge(report, partner.code)
    expect((await refusal(decide(forged, 'ACCEPTED'))).fields).toEqual({ report: [reason] })
    expect((await refusal(resume())).code).toBe('going_live_report_required')
    expect((await kinds()).filter((kind) => kind.startsWith('report.'))).toEqual([])
  })

  test('200: without the gate, a partner is active, and needs no report', async () => {
    const { partner } = await prepare(open)
    expect(await partner.read()).toMatchObject({ status: 'ACTIVE', going_live: null })
  })
})

/** The claims of one report under the signature of another. */
function swapClaims(report: string, other: string): string {
  const [header, , signature] = report.split('.')
  return [header, other.split('.')[1], signature].join('.')
}
