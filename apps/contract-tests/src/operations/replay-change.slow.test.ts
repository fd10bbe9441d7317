import type { Body, Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { exportEvents } from '../kit/audit.ts'
import { createCredentialClient } from '../kit/credential-client.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Partner } from '../kit/users.ts'

/** A separate service, because each test restores all tables. */
const service = await startServiceForFile({})
const credentials = createCredentialClient(service)
const { operator } = service

const pathOf = ({ code }: Partner) => ({ partner_code: code })
const replay = async (change: Schemas['LostChange']) =>
  (await operator('replayChange', { body: change })).body

/** Does something that a restored backup then undoes. Returns its audit events, oldest first. */
async function lose(act: () => Promise<unknown>): Promise<Schemas['LostChange'][]> {
  const restore = await service.backUp()
  const before = new Set((await exportEvents(operator)).map(({ id }) => id))
  await act()
  const events = (await exportEvents(operator)).filter(({ id }) => !before.has(id))
  await restore()
  return events.toReversed().map(toChange)
}

function toChange({ kind, occurred_at, partner_code, tracking_no, detail }: Schemas['AuditEvent']) {
  const change = { kind, occurred_at, partner_code, tracking_no, detail }
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== null),
  ) as Schemas['LostChange']
}

const APPLIED: Schemas['ReplayOutcome'] = { outcome: 'applied', needs_secret: null }
const IN_EFFECT = { outcome: 'in_effect', needs_secret: null }
const NOT_THERE = { outcome: 'not_there', needs_secret: null }

/** The audit rows that requests of the administrator have written for this kind, newest first. */
const writtenFor = async ({ kind }: Schemas['LostChange']) =>
  (await exportEvents(operator)).filter((event) => event.kind === kind && event.actor !== null)

/** Applies the change twice. The second time writes no audit row. */
async function replayTwice(change: Schemas['LostChange'], first: Schemas['ReplayOutcome'] = APPLIED) {
  const before = await writtenFor(change)
  expect(await replay(change)).toEqual(first)
  const [written, ...older] = await writtenFor(change)
  expect(older).toHaveLength(before.length)
  expect(await replay(change)).toEqual({ ...first, outcome: 'in_effect' })
  expect(await writtenFor(change)).toHaveLength(before.length + 1)
  return written!
}

describe('replayChange', () => {
  test('200: credential.revoked ends the secret', async () => {
    const partner = await service.partner()
    const [, token] = await credentials.list(partner)
    const [change] = await lose(() => credentials.revoke(partner, token!.id))
    expect(await credentials.tryToken(partner, partner.credentials.secret_token)).toBe(404)
    expect((await replayTwice(change!)).detail).toBe(token!.id)
    expect(await credentials.tryToken(partner, partner.credentials.secret_token)).toBe(401)
  })

  test('200: credential.rotated ends the replaced secret, and the partner needs another one', async () => {
    const partner = await service.partner()
    const [change] = await lose(() => credentials.rotate(partner, 0))
    expect(await credentials.tryToken(partner, partner.credentials.secret_token)).toBe(404)
    const written = await replayTwice(change!, { outcome: 'applied', needs_secret: 'secret_token' })
    expect(written.detail).toBe(change!.detail)
    expect(await credentials.tryToken(partner, partner.credentials.secret_token)).toBe(401)
    await credentials.rotate(partner, 0)
    expect(await replay(change!)).toEqual(IN_EFFECT)
  })

  test('200: credential.rotated with a grace period ends the replaced secret with that period', async () => {
    const partner = await service.partner()
    let until: string | undefined
    const [change] = await lose(async () => {
      await credentials.rotate(partner, 7, 'partner_secret')
      until = (await credentials.list(partner)).filter(({ kind }) => kind === 'partner_secret')[1]!.expires_at
    })
    await replayTwice(change!, { outcome: 'applied', needs_secret: 'partner_secret' })
    const secret = (await credentials.list(partner)).find(({ kind }) => kind === 'partner_secret')
    expect(secret).toMatchObject({ status: 'ACTIVE', expires_at: until })
  })

  test('200: webhook_secret.rotated ends the webhook secret', async () => {
    const partner = await service.partner()
    const rotate = () => operator('rotateWebhookSecret', { path: pathOf(partner), body: { grace_days: 0 } })
    const [change] = await lose(rotate)
    const count = () => service.countRows('webhook_secret')
    const [before] = await count()
    await replayTwice(change!, { outcome: 'applied', needs_secret: 'webhook_secret' })
    expect(await count()).toEqual([before! + 1])
    await rotate()
    expect(await replay(change!)).toEqual(IN_EFFECT)
  })

  test('200: partner.suspended and partner.resumed set the status, unless it was set since', async () => {
    const partner = await service.partner()
    const suspend = () => operator('suspendPartner', { path: pathOf(partner) })
    const resume = () => operator('resumePartner', { path: pathOf(partner) })
    const status = async () => (await partner.read()).status
    const [suspended, resumed] = await lose(async () => (await suspend(), resume()))
    await replayTwice(suspended!)
    expect(await status()).toBe('SUSPENDED')
    // The partner was suspended after it was resumed.
    expect((await replay(resumed!)).outcome).toBe('changed_since')
    expect(await status()).toBe('SUSPENDED')
    await resume()
    expect((await replay(suspended!)).outcome).toBe('changed_since')
    expect(await status()).toBe('ACTIVE')
    await suspend()
    const [late] = await lose(resume)
    await replayTwice(late!)
    expect(await status()).toBe('ACTIVE')
  })

  test('200: authorization.revoked withdraws the consent and tells the partner', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const callback_url = 'http://localhost:9/callback'
    await operator('setCallback', { path: pathOf(partner), body: { callback_url } })
    await citizen.accept(trackingNo)
    const [change] = await lose(() => citizen.revoke(trackingNo))
    expect((await partner.profiles.inquire(trackingNo)).state).toBe('ACCEPTED')
    expect(await replayTwice(change!)).toMatchObject({ tracking_no: trackingNo, partner_code: partner.code })
    expect(await partner.profiles.inquire(trackingNo)).toMatchObject({ state: 'REVOKED' })
    const { deliveries } = (await operator('listDeliveries', { query: { partner_code: partner.code } })).body
    expect(deliveries.map(({ type }) => type)).toEqual(['authorization.revoked', 'authorization.accepted'])
  })

  test('200: authorization.revoked leaves a record pending that was accepted after the backup', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    const changes = await lose(async () => (await citizen.accept(trackingNo), citizen.revoke(trackingNo)))
    const revoked = changes.find(({ kind }) => kind === 'authorization.revoked')!
    expect(await replay(revoked)).toEqual(IN_EFFECT)
    expect((await partner.profiles.inquire(trackingNo)).state).toBe('PENDING')
  })

  test('200: citizen.erased destroys the data; the same person is registered as a new citizen', async () => {
    const { citizen, partner, trackingNo } = await service.pending()
    await citizen.accept(trackingNo)
    const path = { uniqid: citizen.uniqid }
    const write = () =>
      operator('upsertCitizen', { path, body: { profile: citizen.profile, passport: null } })
    const [change] = await lose(async () => (await operator('eraseCitizen', { path }), write()))
    await citizen.showQr()
    await replayTwice(change!)
    expect((await refusal(citizen.showQr())).code).toBe('not_found')
    expect((await refusal(partner.profiles.inquire(trackingNo))).code).toBe('result_expired')
    expect((await write()).body.created).toBe(true)
    expect(await replay(change!)).toEqual(IN_EFFECT)
    await citizen.showQr()
  })

  test('200: preferences.changed freezes and blocks, and never unfreezes or unblocks', async () => {
    const [citizen, a, b] = [await service.citizen(), await service.partner(), await service.partner()]
    await citizen.setPreferences({ blocked_partners: [b.code] })
    const [change, opened] = await lose(
      async () => (
        await citizen.setPreferences({ frozen: true, blocked_partners: [a.code] }),
        citizen.setPreferences({})
      ),
    )
    expect((await replayTwice(change!)).detail).toMatch(new RegExp(`^\\S+: frozen, blocked ${a.code}$`))
    const stored = async () => (await citizen.app('readPreferences', {})).body
    expect(await stored()).toEqual({ frozen: true, blocked_partners: [a.code, b.code].toSorted() })
    expect(opened!.detail).toContain('unfrozen, unblocked')
    expect(await replay(opened!)).toEqual(IN_EFFECT)
    expect((await stored()).frozen).toBe(true)
    // The citizen has the last word.
    await citizen.setPreferences({})
    expect((await replay(change!)).outcome).toBe('changed_since')
    expect(await stored()).toEqual({ frozen: false, blocked_partners: [] })
  })

  test('200: the citizen reads more blocked partners than a request can name, and shortens them', async () => {
    const citizen = await service.citizen()
    const codes = Array.from({ length: 401 }, (_, n) => `MANY_${n}`).toSorted()
    await sql`
      insert into partner (partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits)
      select code, code, code, 'Purpose', '{}', '{}', '{}' from unnest(${codes}::text[]) code`.execute(
      service.db,
    )
    await citizen.setPreferences({ blocked_partners: codes.slice(1) })
    const [change] = await lose(() => citizen.setPreferences({ blocked_partners: codes.slice(0, 1) }))
    expect(await replay(change!)).toEqual(APPLIED)
    const read = async () => (await citizen.app('readPreferences', {})).body.blocked_partners
    expect(await read()).toEqual(codes)
    const { fields } = await refusal(citizen.setPreferences({ blocked_partners: codes }))
    expect(Object.keys(fields)).toEqual(['blocked_partners'])
    await citizen.setPreferences({ blocked_partners: codes.slice(0, 400) })
    expect(await read()).toEqual(codes.slice(0, 400))
  })

  test('200: what the database does not have cannot come back', async () => {
    const lost = await lose(async () => {
      const { partner, citizen, trackingNo } = await service.pending()
      await citizen.accept(trackingNo)
      await citizen.revoke(trackingNo)
      await citizen.setPreferences({ frozen: true, blocked_partners: [partner.code] })
      await operator('eraseCitizen', { path: { uniqid: citizen.uniqid } })
      await credentials.revoke(partner, (await credentials.list(partner))[0]!.id)
      await credentials.rotate(partner, 0)
      await operator('rotateWebhookSecret', { path: pathOf(partner), body: { grace_days: 0 } })
      await operator('suspendPartner', { path: pathOf(partner) })
      await operator('resumePartner', { path: pathOf(partner) })
    })
    const kinds =
      /^(authorization\.revoked|preferences|citizen\.erased|credential|webhook_secret)|suspended|resumed/
    const changes = lost.filter(({ kind }) => kinds.test(kind))
    expect(new Set(changes.map(({ kind }) => kind)).size).toBe(8)
    for (const change of changes)
      expect([change.kind, await replay(change)]).toEqual([change.kind, NOT_THERE])
  })

  test.each<[string, Partial<Body<'replayChange'>>, string]>([
    ['no detail', { kind: 'citizen.erased' }, 'detail'],
    ['a detail that is no subject', { kind: 'citizen.erased', detail: 'crd_1' }, 'detail'],
    ['a detail that is no credential', { kind: 'credential.revoked', detail: 'x' }, 'detail'],
    ['no partner', { kind: 'partner.suspended' }, 'partner_code'],
    ['no record', { kind: 'authorization.revoked', partner_code: 'PARTNER_1' }, 'tracking_no'],
    [
      'a rotation without the replaced secrets',
      { kind: 'credential.rotated', detail: 'secret_token crd_1' },
      'detail',
    ],
    [
      'an end that is no time',
      {
        kind: 'credential.rotated',
        detail: 'secret_token crd_1 replaces crd_2 until 2026-13-31T00:00:00.000Z',
      },
      'detail',
    ],
    ['preferences without a subject', { kind: 'preferences.changed', detail: 'frozen, blocked 2' }, 'detail'],
    [
      'a preference that does not exist',
      { kind: 'preferences.changed', detail: `${crypto.randomUUID()}: frozen, hidden` },
      'detail',
    ],
    ['February 30', { kind: 'partner.suspended', occurred_at: '2026-02-30T00:00:00+08:00' }, 'occurred_at'],
    ['a 13th month', { kind: 'partner.suspended', occurred_at: '2026-13-01T00:00:00Z' }, 'occurred_at'],
    ['a time in the future', { kind: 'partner.resumed', occurred_at: '2999-01-01T00:00:00Z' }, 'occurred_at'],
  ])('422: %s', async (_, change, field) => {
    const body = { occurred_at: '2026-01-31T12:00:00Z', partner_code: 'PARTNER_1', ...change } as never
    if (field === 'partner_code') delete (body as { partner_code?: string }).partner_code
    const { code, fields } = await refusal(operator('replayChange', { body }))
    expect([code, Object.keys(fields)]).toEqual(['validation_failed', [field]])
  })
})
