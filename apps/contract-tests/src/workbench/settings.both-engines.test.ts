// What a partner changes itself, and what waits for a second person.
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import type { Body } from '@tiwala/contract'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { exportEvents } from '../kit/audit.ts'
import { DAY_SECONDS } from '../kit/credential-client.ts'
import { callWorkbench } from '../kit/member.ts'
import { nameOperator } from '../kit/operator-name.ts'
import { register } from '../kit/relying-party.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const KEY = { kty: 'OKP' as const, crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
const publicKeyOf = ({ publicKey }: KeyPairKeyObjectResult) => publicKey.export({ format: 'jwk' })

/** A separate service, because the test moves the clock. */
const service = await startServiceForFile({})
const { operator } = service

async function prepare(role: 'admin' | 'developer' = 'admin') {
  const partner = await service.partner({ callback_url: 'https://old.example/', ip_allow_list: [] })
  const { headers, memberId } = await service.signIn(partner.code, role)
  const call = callWorkbench(service.url, headers)
  const change = (body: Body<'changeSettings'>, reason?: string) =>
    call('changeSettings', { body, ...(reason && { query: { reason } }) })
  /** A change that waits. */
  const ask = async (
    body: Body<'changeSettings'> = { callback_url: 'https://new.example/' },
    reason?: string,
  ) => {
    const { approvals } = (await change(body, reason)).body
    return { path: { approval_id: approvals[0]!.approval_id }, approval: approvals[0]! }
  }
  const read = async () => (await call('readSettings')).body
  return { partner, memberId, call, change, ask, read, path: { partner_code: partner.code } }
}

const grant = async (approval_id: string) => {
  const response = await service.send('grantApproval', {
    path: { approval_id },
    headers: { Authorization: `Bearer ${service.operatorToken}` },
  })
  return [response.status, ((await response.json()) as { error?: string }).error]
}

describe('changeSettings', () => {
  test('200: what narrows access applies at once', async () => {
    const { change, read, partner } = await prepare()
    await change({ ip_allow_list: ['203.0.113.0/24'] })
    const { status, body } = await change({ callback_url: null })
    expect([status, body.callback_url, body.ip_allow_list, body.approvals]).toEqual([
      200,
      null,
      ['203.0.113.0/24'],
      [],
    ])
    expect(await read()).toEqual(body)
    expect(await partner.read()).toMatchObject({ callback_url: null, ip_allow_list: ['203.0.113.0/24'] })
  })

  test('200: what widens access waits, with the reason and the values before it', async () => {
    const { change, memberId, partner } = await prepare()
    const { body } = await change({ callback_url: 'https://new.example/' }, 'New servers')
    expect(body).toMatchObject({ callback_url: 'https://old.example/', needs_approval: true })
    expect(body.approvals).toMatchObject([
      {
        status: 'PENDING',
        requested_by: memberId,
        reason: 'New servers',
        change: { callback_url: 'https://new.example/' },
        previous: { callback_url: 'https://old.example/' },
      },
    ])
    const [{ requested_at, expires_at } = body.approvals[0]!] = body.approvals
    expect((Date.parse(expires_at) - Date.parse(requested_at)) / 1_000).toBeCloseTo(7 * DAY_SECONDS, 1)
    expect((await partner.read()).callback_url).toBe('https://old.example/')
  })

  test('200: a change with a part that widens waits as a whole', async () => {
    const { change, read } = await prepare()
    await change({ ip_allow_list: ['203.0.113.7'], sso_url: 'https://new.example/' })
    expect(await read()).toMatchObject({
      ip_allow_list: [],
      sso_url: null,
      approvals: [{ status: 'PENDING' }],
    })
  })

  test('200: the same values again change nothing', async () => {
    const { change } = await prepare()
    const { body } = await change({ callback_url: 'https://old.example/', ip_allow_list: [] })
    expect(body.approvals).toEqual([])
  })

  test('200: another request about the same setting replaces the one that waits, and no other', async () => {
    const { change, ask, read } = await prepare()
    await change({ sso_url: 'https://sso.example/' })
    const { approval } = await ask()
    await change({ callback_url: 'https://newer.example/' })
    expect((await read()).approvals.map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'VOID'])
    expect(await grant(approval.approval_id)).toEqual([409, 'approval_not_pending'])
  })

  test('200: a change that waits is shown before newer ones that have ended', async () => {
    const { change, ask, read } = await prepare()
    const { approval } = await ask({ sso_url: 'https://sso.example/' })
    for (let nth = 1; nth <= 21; nth++) await change({ callback_url: `https://new-${nth}.example/` })
    const { approvals } = await read()
    expect(approvals.slice(0, 3).map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'VOID'])
    expect(approvals[1]!.approval_id).toBe(approval.approval_id)
    expect(new Set(approvals.map(({ approval_id }) => approval_id)).size).toBe(20)
  })

  test('200: without a second person, everything applies at once', async () => {
    const alone = await startServiceForFile({ TIWALA_SECOND_PERSON: 'none' })
    const partner = await alone.partner()
    await register(alone.operator, partner.code)
    const { headers } = await alone.signIn(partner.code)
    const keys = [KEY]
    const change = {
      callback_url: 'https://new.example/',
      sso_url: 'https://sso.example/',
      ip_allow_list: ['203.0.113.7'],
      redirect_uris: ['https://new.example/signed-in'],
      keys,
      jwks_url: null,
    }
    const { body } = await callWorkbench(alone.url, headers)('changeSettings', { body: change })
    expect(body).toMatchObject({ ...change, needs_approval: false, approvals: [] })
  })

  test.each([
    [{ callback_url: 'https://10.0.0.1/' }, 'callback_url'],
    [{ sso_url: 'https://a.example/?state=1' }, 'sso_url'],
    [{ ip_allow_list: ['203.0.113.7/24'] }, 'ip_allow_list.0'],
    [{ redirect_uris: ['https://a.example/'] }, 'redirect_uris'],
    [{ jwks_url: 'https://a.example/jwks' }, 'keys'],
    [{ keys: [{ kty: 'EC', d: 'private' }] }, 'keys.0'],
  ])('422: %j is refused, and nothing waits', async (body, field) => {
    const { change, read } = await prepare()
    const refused = await change(body as Body<'changeSettings'>)
    expect([refused.status, Object.keys(refused.body.errors!)[0]]).toEqual([
      422,
      expect.stringContaining(field),
    ])
    expect((await read()).approvals).toEqual([])
  })

  test.each([
    { kty: 'RSA' },
    { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
    { ...KEY, alg: 'HS256' },
    { ...KEY, kid: 'a\0' },
    { ...KEY, kid: '\ud800' },
    publicKeyOf(generateKeyPairSync('rsa', { modulusLength: 1024 })),
    publicKeyOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })),
    publicKeyOf(generateKeyPairSync('ed448')),
  ])('422: no sign-in could use the key %j', async (key) => {
    const { change, partner } = await prepare()
    await register(operator, partner.code)
    const { status, body } = await change({ jwks_url: null, keys: [key] } as Body<'changeSettings'>)
    expect([status, Object.keys(body.errors!)]).toEqual([422, [expect.stringMatching(/^keys\.0/)]])
  })

  test('412: with the ETag from before another change was asked for, which goes on waiting', async () => {
    const { call, ask, read } = await prepare()
    const etag = (await call('readSettings')).headers.get('etag')!
    const { approval } = await ask()
    const change = async (ifMatch: string) =>
      call('changeSettings', {
        headers: { 'If-Match': ifMatch },
        body: { callback_url: 'https://newer.example/' },
      })
    expect((await change(etag)).status).toBe(412)
    expect((await read()).approvals).toEqual([approval])
    expect((await change((await call('readSettings')).headers.get('etag')!)).status).toBe(200)
  })

  test('429: the 51st change that waits, in 24 hours', async () => {
    const { change, partner } = await prepare()
    for (let nth = 1; nth <= 50; nth++) await change({ callback_url: `https://new-${nth}.example/` })
    expect((await change({ callback_url: 'https://new.example/' })).status).toBe(429)
    const other = await prepare()
    expect((await other.change({ callback_url: 'https://new.example/' })).status).toBe(200)
    // Each time by a new session, since the one before has ended.
    const changeAfter = async (seconds: number) => {
      await service.advance(seconds)
      const { headers } = await service.signIn(partner.code)
      const body = { callback_url: 'https://new.example/' }
      return (await callWorkbench(service.url, headers)('changeSettings', { body })).status
    }
    expect(await changeAfter(DAY_SECONDS - 600)).toBe(429)
    expect(await changeAfter(601)).toBe(200)
  })
})

describe('grantApproval', () => {
  test('200: makes exactly the change, and both persons are in the audit', async () => {
    const { partner, path, memberId, read, ask } = await prepare()
    await register(operator, partner.code)
    const wanted = {
      callback_url: 'https://new.example/',
      ip_allow_list: ['203.0.113.7'],
      redirect_uris: ['https://a.example/1', 'https://a.example/2'],
    }
    const before = (await operator('readSignInRegistration', { path })).body
    const { approval } = await ask(wanted, 'New servers')
    const { body } = await operator('readApproval', { path: { approval_id: approval.approval_id } })
    expect(body).toMatchObject({ status: 'PENDING', change: wanted, reason: 'New servers' })
    await operator('grantApproval', {
      path: { approval_id: approval.approval_id },
      query: { reason: 'Ticket 4711' },
    })
    expect(await read()).toMatchObject({ ...wanted, approvals: [{ status: 'GRANTED', decided_by: null }] })
    await nameOperator(service, 'sandbox-operator', 'Ana Reyes')
    const granted = await operator('readApproval', { path: { approval_id: approval.approval_id } })
    expect(granted.body).toMatchObject({ requested_by_name: null, decided_by_name: 'Ana Reyes' })
    expect(JSON.stringify(await read())).not.toContain('Ana Reyes')
    expect((await operator('readSignInRegistration', { path })).body).toEqual({
      ...before,
      redirect_uris: wanted.redirect_uris,
    })
    const events = (await exportEvents(operator)).filter(({ partner_code }) => partner_code === partner.code)
    const said = events.map(({ kind, actor, reason, detail }) => [kind, actor, reason, detail])
    expect(said).toContainEqual([
      'approval.requested',
      memberId,
      'New servers',
      `${approval.approval_id} settings callback_url ip_allow_list redirect_uris`,
    ])
    expect(said).toContainEqual([
      'approval.granted',
      'sandbox-operator',
      'Ticket 4711',
      `${approval.approval_id} settings asked by ${memberId}`,
    ])
    for (const detail of ['callback_url', 'ip_allow_list', 'redirect_uris'])
      expect(said).toContainEqual(['partner.changed', 'sandbox-operator', 'Ticket 4711', detail])
  })

  test('409: granted once, also by several administrators at once', async () => {
    const { ask, partner } = await prepare()
    const { approval } = await ask()
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await grant(approval.approval_id))[0]),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
    const changes = (await exportEvents(operator)).filter(
      ({ kind, partner_code }) => kind === 'partner.changed' && partner_code === partner.code,
    )
    expect(changes).toHaveLength(1)
  })

  test('409: after its end', async () => {
    const { ask, partner } = await prepare()
    const { approval } = await ask()
    await service.advance(7 * DAY_SECONDS + 1)
    expect(await grant(approval.approval_id)).toEqual([409, 'approval_not_pending'])
    expect((await partner.read()).callback_url).toBe('https://old.example/')
    const { headers } = await service.signIn(partner.code)
    const readStatus = async () =>
      (await callWorkbench(service.url, headers)('readSettings')).body.approvals[0]!.status
    expect(await readStatus()).toBe('EXPIRED')
    const path = { partner_code: partner.code }
    await operator('setCallback', { path, body: { callback_url: 'https://other.example/' } })
    expect(await readStatus()).toBe('EXPIRED')
  })

  test('409: after a change of the same setting, also one that was taken back', async () => {
    const { ask, path, partner } = await prepare()
    const { approval } = await ask()
    for (const callback_url of ['https://other.example/', 'https://old.example/'])
      await operator('setCallback', { path, body: { callback_url } })
    expect(await grant(approval.approval_id)).toEqual([409, 'approval_not_pending'])
    expect((await partner.read()).callback_url).toBe('https://old.example/')
  })

  test('409: after a change of the registration for OpenID Connect', async () => {
    const { ask, path, partner } = await prepare()
    await register(operator, partner.code)
    const { approval } = await ask({ jwks_url: 'https://a.example/jwks' })
    const { body } = await operator('readSignInRegistration', { path })
    const keys = [KEY]
    await operator('setSignInRegistration', { path, body: { ...body, keys } })
    expect(await grant(approval.approval_id)).toEqual([409, 'approval_not_pending'])
  })

  test.each(['removed', 'developer', 'signed out'] as const)(
    '409: the member who asked was removed or is no admin; not after a sign-out (%s)',
    async (what) => {
      const { ask, partner, memberId, call } = await prepare()
      const { approval } = await ask()
      const other = callWorkbench(service.url, (await service.signIn(partner.code)).headers)
      const path = { member_id: memberId }
      if (what === 'removed') await other('removeMember', { path })
      if (what === 'developer') await other('changeMember', { path, body: { role: 'developer' } })
      if (what === 'signed out') await call('signOut')
      expect(await grant(approval.approval_id)).toEqual(
        what === 'signed out' ? [200, undefined] : [409, 'approval_not_pending'],
      )
    },
  )

  test('200: after a change of another setting', async () => {
    const { ask, change, partner } = await prepare()
    const { approval } = await ask()
    await change({ ip_allow_list: ['203.0.113.7'] })
    await partner.change({ limits: { per_day: 10 }, sso_url: 'https://sso.example/' })
    expect(await grant(approval.approval_id)).toEqual([200, undefined])
  })

  test.each(['grantApproval', 'returnApproval'] as const)(
    '403: %s by the person who asked, who is an administrator, too',
    async (id) => {
      const { ask, memberId, read } = await prepare()
      const { path } = await ask()
      const { iss, sub } = decodeJwt(service.operatorToken)
      await sql`update member set subject = ${`${iss} ${sub}`} where member_id = ${memberId}`.execute(
        service.db,
      )
      const refused = await refusal(operator(id, { path, body: { reason: 'Why' } }))
      expect([refused.status, refused.code]).toEqual([403, 'second_person_required'])
      expect((await read()).approvals[0]!.status).toBe('PENDING')
      await sql`update member set subject = member_id where member_id = ${memberId}`.execute(service.db)
    },
  )
})

describe('returnApproval, withdrawApproval', () => {
  test('200, 409: returned once; the member reads the reason, and not the administrator', async () => {
    const { ask, read, partner } = await prepare()
    const { path } = await ask()
    const giveBack = () => operator('returnApproval', { path, body: { reason: 'Not your host' } })
    const { body } = await giveBack()
    expect(body).toMatchObject({ status: 'RETURNED', decided_by: 'sandbox-operator' })
    expect((await read()).approvals).toMatchObject([
      { status: 'RETURNED', decision_reason: 'Not your host', decided_by: null },
    ])
    expect((await refusal(giveBack())).code).toBe('approval_not_pending')
    expect(await grant(path.approval_id)).toEqual([409, 'approval_not_pending'])
    expect((await partner.read()).callback_url).toBe('https://old.example/')
  })

  test('200, 409: another admin withdraws a change once, and then it cannot be granted', async () => {
    const { ask, partner } = await prepare()
    const { path } = await ask()
    const { headers, memberId } = await service.signIn(partner.code)
    const call = callWorkbench(service.url, headers)
    const { status, body } = await call('withdrawApproval', { path })
    expect([status, body]).toMatchObject([200, { status: 'WITHDRAWN', decided_by: memberId }])
    expect((await call('withdrawApproval', { path })).body.error).toBe('approval_not_pending')
    expect(await grant(path.approval_id)).toEqual([409, 'approval_not_pending'])
  })

  test('404: an admin of another partner cannot withdraw it', async () => {
    const [mine, other] = [await prepare(), await prepare()]
    const { path } = await mine.ask()
    expect((await other.call('withdrawApproval', { path })).status).toBe(404)
    expect((await mine.read()).approvals[0]!.status).toBe('PENDING')
  })
})

test('200: administrators list what waits, newest first, of all partners or one', async () => {
  const [a, b] = [await prepare(), await prepare()]
  const ids = [(await a.ask()).path, (await b.ask()).path].map(({ approval_id }) => approval_id)
  const list = async (query: object) =>
    (await operator('listApprovals', { query })).body.approvals.map(({ approval_id }) => approval_id)
  expect((await list({ status: 'PENDING' })).slice(0, 2)).toEqual([ids[1], ids[0]])
  expect(await list({ partner_code: a.partner.code })).toEqual([ids[0]])
  expect(await list({ partner_code: a.partner.code, status: 'GRANTED' })).toEqual([])
  const first = (await operator('listApprovals', { query: { limit: 1 } })).body
  const next = (await operator('listApprovals', { query: { limit: 1, cursor: first.next_cursor! } })).body
  expect([first, next].map(({ approvals }) => approvals[0]!.approval_id)).toEqual([ids[1], ids[0]])
})
