import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Body, OperationId, Schemas } from '@tiwala/contract'
// Acts of administrators that wait for a second person: every kind, by every person, at every time.
import { exampleProfile } from '@tiwala/kit/users'
import { mintKey } from '@tiwala/server/testing'
import { importJWK, SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { exportEvents } from '../kit/audit.ts'
import { DAY_SECONDS } from '../kit/credential-client.ts'
import { callWorkbench } from '../kit/member.ts'
import { nameOperator } from '../kit/operator-name.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const key = mintKey('audit')
const folder = await mkdtemp(join(tmpdir(), 'tiwala-keys-'))
afterAll(() => rm(folder, { recursive: true }))
const file = join(folder, 'keys.json')
const { kty, crv, kid, x } = key
await writeFile(file, JSON.stringify({ keys: [{ kty, crv, kid, x, alg: 'EdDSA', use: 'sig' }] }))

/** A separate service, because the tests move the clock. */
const service = await startServiceForFile({
  TIWALA_SECOND_PERSON: 'settings, suspension, resumption, scope, going_live, erasure',
  TIWALA_GOING_LIVE_KEYS_FILE: file,
})
const { operator, db } = service
const [ASKER, SECOND] = ['Ana Reyes', 'Ben Cruz']
await nameOperator(service, 'asker', ASKER)
await nameOperator(service, 'second', SECOND)

/** The people of a suspended partner cannot sign in. */
const partnerIsSuspended = (kind: Kind) => kind === 'resumption'

type Kind = Exclude<Schemas['Approval']['kind'], 'settings'>
type Answer = Partial<Schemas['Approval']> & { error?: string; errors?: object }
type Sent = { status: number; body: Answer }
type Parts = { path: Record<string, string>; query?: Record<string, string>; json?: object; headers?: object }

/** The one who asks has only the scope of the act. The others may decide. */
const SCOPE: Record<Kind, string> = {
  suspension: 'partners:write',
  resumption: 'partners:write',
  scope: 'partners:write',
  going_live: 'partners:write',
  erasure: 'citizens:erase',
}
const DECIDES = 'approvals:read approvals:write'
const personOf = async (sub: string, scope: string) => ({
  Authorization: `Bearer ${await service.tokens.operator(scope, undefined, sub)}`,
})
const asker = (kind: Kind) => personOf('asker', SCOPE[kind])
const second = (kind: Kind) => personOf('second', `${DECIDES} ${SCOPE[kind]}`)

async function send(id: OperationId, who: object, { path, query, json, headers }: Parts): Promise<Sent> {
  const response = await service.send(id, {
    path,
    headers: { ...who, ...headers },
    ...(query && { query }),
    ...(json && { json }),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

const REPORT = { event: 'report.written', is_ready: true }
const writeReport = async (live_partner_code: string) =>
  new SignJWT({ ...REPORT, live_partner_code })
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ: 'tiwala-receipt+jwt' })
    .setJti('report-1')
    .setIssuedAt()
    .sign(await importJWK(key, 'EdDSA'))

type Case = {
  id: OperationId
  json?: object
  /** What is true before and after. */
  before: unknown
  after: unknown
  read: () => Promise<unknown>
  /** The same thing, changed by another way. */
  changeOtherwise: () => Promise<unknown>
  /** The audit row of the act. */
  said: { kind: string; detail: unknown }
}

const set = (code: string, columns: string) =>
  sql`update partner set ${sql.raw(columns)} where partner_code = ${code}`.execute(db)

async function prepare(kind: Kind) {
  const partner = await service.partner({ scopes: [] })
  const citizen = await service.citizen()
  const { code } = partner
  const path: Record<string, string> =
    kind === 'erasure' ? { uniqid: citizen.uniqid } : { partner_code: code }
  const report = await writeReport(code)
  if (kind === 'resumption') await set(code, 'going_live = null')
  else await set(code, `status = 'ACTIVE'`)
  const status = async () => (await partner.read()).status
  const isErased = async () =>
    (await send('readErasure', await personOf('reader', 'citizens:erase'), { path })).status === 200
  const cases: Record<Kind, Case> = {
    suspension: {
      id: 'suspendPartner',
      before: 'ACTIVE',
      after: 'SUSPENDED',
      read: status,
      changeOtherwise: async () => {
        await set(code, `status = 'SUSPENDED'`)
        await set(code, `status = 'ACTIVE'`)
      },
      said: { kind: 'partner.suspended', detail: null },
    },
    resumption: {
      id: 'resumePartner',
      before: 'SUSPENDED',
      after: 'ACTIVE',
      read: status,
      changeOtherwise: async () => {
        await set(code, `status = 'ACTIVE'`)
        await set(code, `status = 'SUSPENDED'`)
      },
      said: { kind: 'partner.resumed', detail: null },
    },
    scope: {
      id: 'changePartner',
      json: { scopes: ['PROFILE_INQUIRE'], purpose: 'To test.' },
      before: [],
      after: ['PROFILE_INQUIRE'],
      read: async () => (await partner.read()).scopes,
      changeOtherwise: async () => {
        await set(code, `scopes = '{PROFILE_VIEW}'`)
        await set(code, `scopes = '{}'`)
      },
      said: { kind: 'partner.changed', detail: expect.stringContaining('scopes') },
    },
    going_live: {
      id: 'decideGoingLiveReport',
      json: { report, status: 'ACCEPTED' },
      before: 'WAITING',
      after: 'ACCEPTED',
      read: async () => (await partner.read()).going_live!.status,
      changeOtherwise: async () => {
        const old = (await partner.read()).going_live
        await send('decideGoingLiveReport', await second('going_live'), {
          path,
          json: { report, status: 'RETURNED' },
        })
        await sql`update partner set going_live = ${JSON.stringify(old)}::jsonb where partner_code = ${code}`.execute(
          db,
        )
      },
      said: { kind: 'report.accepted', detail: 'report-1' },
    },
    erasure: {
      id: 'eraseCitizen',
      before: false,
      after: true,
      read: isErased,
      // The citizen is erased by another way, and comes back with the same identifier.
      changeOtherwise: async () => {
        const { subject } = (await ask()).body.change!
        await operator('replayChange', {
          body: { kind: 'citizen.erased', detail: subject!, occurred_at: new Date().toISOString() },
        })
        await operator('upsertCitizen', {
          path: { uniqid: citizen.uniqid },
          body: { profile: exampleProfile(citizen.uniqid), passport: null },
        })
      },
      said: { kind: 'citizen.erased', detail: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    },
  }
  const act = cases[kind]
  async function ask(who?: object, query: Record<string, string> | undefined = { reason: 'Ticket 1' }) {
    const { id, json } = act
    return send(id, who ?? (await asker(kind)), { path, query, ...(json && { json }) })
  }
  const decide = (id: OperationId, who: object, approval_id: string, json?: object) =>
    send(id, who, { path: { approval_id }, ...(json && { json }) })
  return { ...act, kind, partner, citizen, path, ask, decide }
}

const outcome = ({ status, body }: Sent): [number, string | undefined] => [status, body.error]
const KINDS = Object.keys(SCOPE) as Kind[]

describe.each(KINDS)('%s', (kind) => {
  test('202, 200: it waits, and a second person makes it; both are in the audit', async () => {
    const { ask, decide, read, before, after, partner, citizen, said } = await prepare(kind)
    const asked = await ask()
    const of =
      kind === 'erasure'
        ? { partner_code: null, partner_name: null, uniqid: citizen.uniqid }
        : { partner_code: partner.code, partner_name: (await partner.read()).name }
    expect(asked).toMatchObject({
      status: 202,
      body: {
        kind,
        status: 'PENDING',
        requested_by: 'asker',
        requested_by_name: ASKER,
        reason: 'Ticket 1',
        uniqid: null,
        ...of,
      },
    })
    expect(await read()).toEqual(before)
    const id = asked.body.approval_id!
    expect(await decide('readApproval', await second(kind), id)).toEqual({ ...asked, status: 200 })
    const granted = await send('grantApproval', await second(kind), {
      path: { approval_id: id },
      query: { reason: 'Seen' },
    })
    expect(granted).toMatchObject({
      status: 200,
      body: { status: 'GRANTED', decided_by: 'second', decided_by_name: SECOND, uniqid: null },
    })
    expect(await read()).toEqual(after)
    const events = await exportEvents(operator)
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'approval.requested', actor: 'asker', reason: 'Ticket 1' }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'approval.granted',
        actor: 'second',
        detail: `${id} ${kind} asked by asker`,
        reason: 'Seen',
      }),
    )
    expect(events).toContainEqual(
      expect.objectContaining({
        ...said,
        actor: 'second',
        reason: 'Ticket 1',
        partner_code: of.partner_code,
      }),
    )
    for (const name of [citizen.uniqid, ASKER, SECOND]) expect(JSON.stringify(events)).not.toContain(name)
    expect(outcome(await decide('grantApproval', await second(kind), id))).toEqual([
      409,
      'approval_not_pending',
    ])
  })

  test('422: without a reason nothing waits', async () => {
    const { ask, read, before } = await prepare(kind)
    const { status, body } = await send('listApprovals', await second(kind), { path: {} })
    expect(status).toBe(200)
    const refused = await ask(undefined, {})
    expect([...outcome(refused), Object.keys(refused.body.errors ?? {})]).toEqual([
      422,
      'validation_failed',
      ['reason'],
    ])
    expect((await send('listApprovals', await second(kind), { path: {} })).body).toEqual(body)
    expect(await read()).toEqual(before)
  })

  test('202: sent again, also by another person, it is the same approval', async () => {
    const { ask } = await prepare(kind)
    const first = await ask()
    expect(await ask()).toEqual(first)
    expect(await ask(await second(kind), { reason: 'Ticket 2' })).toEqual(first)
  })

  test('403: the person who asked, by another token or a session', async () => {
    const { ask, decide, read, before } = await prepare(kind)
    const id = (await ask()).body.approval_id!
    const scopes = `${DECIDES} ${SCOPE[kind]}`
    const same = [await personOf('asker', scopes), await service.signInOperator(scopes.split(' '), 'asker')]
    for (const who of same) {
      expect(outcome(await decide('grantApproval', who, id))).toEqual([403, 'second_person_required'])
      expect(outcome(await decide('returnApproval', who, id, { reason: 'No' }))).toEqual([
        403,
        'second_person_required',
      ])
    }
    expect(await read()).toEqual(before)
    expect(outcome(await decide('grantApproval', await second(kind), id))).toEqual([200, undefined])
  })

  test('403: a second person without the scope of the act, who may return it', async () => {
    const { ask, decide, read, before } = await prepare(kind)
    const id = (await ask()).body.approval_id!
    const others = KINDS.map((other) => SCOPE[other]).filter((scope) => scope !== SCOPE[kind])
    const who = await personOf('other', [DECIDES, ...others, 'credentials:write'].join(' '))
    expect(outcome(await decide('grantApproval', who, id))).toEqual([403, 'scope_not_granted'])
    const needed = await personOf('other', SCOPE[kind])
    expect(outcome(await decide('grantApproval', needed, id))).toEqual([403, 'scope_not_granted'])
    expect((await decide('readApproval', who, id)).body.uniqid).toBeNull()
    const returned = await decide('returnApproval', who, id, { reason: 'No' })
    expect(returned.body).toMatchObject({ status: 'RETURNED', decision_reason: 'No', uniqid: null })
    expect(outcome(await decide('grantApproval', await second(kind), id))).toEqual([
      409,
      'approval_not_pending',
    ])
    expect(await read()).toEqual(before)
  })

  test('200, 404: only the person who asked withdraws it', async () => {
    const { ask, decide, read, before, partner } = await prepare(kind)
    const id = (await ask()).body.approval_id!
    const all = await personOf('second', `${DECIDES} partners:write citizens:erase`)
    expect(outcome(await decide('withdrawOwnApproval', all, id))).toEqual([404, 'not_found'])
    const { headers } = await service.signIn(partner.code)
    const call = callWorkbench(service.url, headers)
    const ofPartner = await call('withdrawApproval', {
      path: { approval_id: id },
    })
    expect(ofPartner.status).toBe(partnerIsSuspended(kind) ? 401 : 404)
    const withdrawn = await decide('withdrawOwnApproval', await asker(kind), id)
    expect(withdrawn.body).toMatchObject({ status: 'WITHDRAWN', decided_by: 'asker', uniqid: null })
    for (const [operation, person] of [
      ['grantApproval', await second(kind)],
      ['withdrawOwnApproval', await asker(kind)],
    ] as const)
      expect(outcome(await decide(operation, person, id))).toEqual([409, 'approval_not_pending'])
    expect(await read()).toEqual(before)
  })

  test('409: after its end, and it names no citizen', async () => {
    const { ask, decide, read, before, changeOtherwise } = await prepare(kind)
    const id = (await ask()).body.approval_id!
    await service.advance(7 * DAY_SECONDS + 1)
    expect(outcome(await decide('grantApproval', await second(kind), id))).toEqual([
      409,
      'approval_not_pending',
    ])
    const { body } = await decide('readApproval', await second(kind), id)
    expect(body).toMatchObject({ status: 'EXPIRED', uniqid: null })
    expect(await read()).toEqual(before)
    expect((await ask()).body.approval_id).not.toBe(id)
    await changeOtherwise()
    expect((await decide('readApproval', await second(kind), id)).body.status).toBe('EXPIRED')
  })

  test('409: after the same thing was changed, also back', async () => {
    const { ask, decide, changeOtherwise } = await prepare(kind)
    const id = (await ask()).body.approval_id!
    await changeOtherwise()
    const { body } = await decide('readApproval', await second(kind), id)
    expect(body).toMatchObject({ status: 'VOID', decided_by: null, uniqid: null })
    expect(outcome(await decide('grantApproval', await second(kind), id))).toEqual([
      409,
      'approval_not_pending',
    ])
  })

  test('409: several persons at once make it once', async () => {
    const { ask, decide, read, after } = await prepare(kind)
    const id = (await ask()).body.approval_id!
    const people = await Promise.all(
      [1, 2, 3, 4].map((nth) => personOf(`second-${nth}`, `${DECIDES} ${SCOPE[kind]}`)),
    )
    // On a busy machine, the lock of the partner is awaited for too long: the client asks again.
    const grant = async (who: object): Promise<Sent> => {
      const sent = await decide('grantApproval', who, id)
      return sent.status === 503 ? grant(who) : sent
    }
    const all = await Promise.all(people.map(async (who) => outcome(await grant(who))))
    const notPending = [409, 'approval_not_pending']
    expect(all.toSorted(([a], [b]) => a - b)).toEqual([[200, undefined], notPending, notPending, notPending])
    expect(await read()).toEqual(after)
  })

  test('the people of the partner see nothing of it', async () => {
    const { ask, partner } = await prepare(kind)
    await ask()
    const { headers } = await service.signIn(partner.code)
    const settings = await callWorkbench(service.url, headers)('readSettings')
    expect([settings.status, settings.body.approvals]).toEqual(
      partnerIsSuspended(kind) ? [401, undefined] : [200, []],
    )
  })
})

test('409: a partner whose report is returned meanwhile is not resumed, and the approval stays pending', async () => {
  const { ask, decide, read, partner } = await prepare('resumption')
  const id = (await ask()).body.approval_id!
  const at = '2026-11-20T09:00:00.000Z'
  const report = { report_id: 'report-1', written_at: at, decided_at: at, decided_by: 'x', reason: null }
  await sql`
    update partner set going_live = ${JSON.stringify({ status: 'RETURNED', ...report })}::jsonb
     where partner_code = ${partner.code}`.execute(db)
  expect(outcome(await decide('grantApproval', await second('resumption'), id))).toEqual([
    409,
    'approval_not_pending',
  ])
  expect(await read()).toBe('SUSPENDED')
  expect((await decide('readApproval', await second('resumption'), id)).body.status).toBe('PENDING')
})

test('200: a suspension of a suspended partner is the latest word: the resumption that waits is void', async () => {
  const { ask, decide, read, partner } = await prepare('resumption')
  const id = (await ask()).body.approval_id!
  const parts = { path: { partner_code: partner.code }, query: { reason: 'Fraud' } }
  expect(outcome(await send('suspendPartner', await second('suspension'), parts))[0]).toBe(200)
  expect((await decide('readApproval', await second('resumption'), id)).body.status).toBe('VOID')
  expect(outcome(await decide('grantApproval', await second('resumption'), id))).toEqual([
    409,
    'approval_not_pending',
  ])
  expect(await read()).toBe('SUSPENDED')
})

test('200: the present scopes are the latest word: the further scope that waits is void', async () => {
  const { ask, decide, partner, path } = await prepare('scope')
  const id = (await ask()).body.approval_id!
  const change = async (json: Body<'changePartner'>) => {
    expect(outcome(await send('changePartner', await asker('scope'), { path, json }))[0]).toBe(200)
    return (await decide('readApproval', await second('scope'), id)).body.status
  }
  expect(await change({ purpose: (await partner.read()).purpose })).toBe('PENDING')
  expect(await change({ scopes: [] })).toBe('VOID')
})

describe('what needs no second person applies at once', () => {
  test('200: to remove a scope, to change something else, and the same scopes in another order', async () => {
    const { partner, path } = await prepare('scope')
    await set(partner.code, `scopes = '{PROFILE_INQUIRE,PROFILE_VIEW}'`)
    const change = async (json: Body<'changePartner'>) =>
      (await send('changePartner', await asker('scope'), { path, json })).status
    expect(await change({ scopes: ['PROFILE_VIEW', 'PROFILE_INQUIRE'], purpose: 'Other.' })).toBe(200)
    expect(await change({ scopes: ['PROFILE_VIEW'] })).toBe(200)
    expect(await partner.read()).toMatchObject({ scopes: ['PROFILE_VIEW'], purpose: 'Other.' })
    // With a further scope, also the part that would not wait alone.
    const json = { scopes: ['SSO_AUTHENTICATION' as const], limits: { per_day: 5 } }
    const asked = await send('changePartner', await asker('scope'), { path, json, query: { reason: 'Why' } })
    expect(asked.body).toMatchObject({
      change: { scopes: ['SSO_AUTHENTICATION'], limits: { per_day: 5 } },
      previous: { scopes: ['PROFILE_VIEW'], limits: { per_day: null } },
    })
    expect(await partner.read()).toMatchObject({ scopes: ['PROFILE_VIEW'], limits: { per_day: null } })
    await change({ limits: { per_day: 7 } })
    const { decide } = await prepare('scope')
    const late = await decide('grantApproval', await second('scope'), asked.body.approval_id!)
    expect(outcome(late)).toEqual([409, 'approval_not_pending'])
  })

  test('412: a further scope with the ETag of an older state', async () => {
    const { path, ask } = await prepare('scope')
    const json = { scopes: ['PROFILE_VIEW'] }
    const parts = { path, json, query: { reason: 'Why' }, headers: { 'If-Match': '"0"' } }
    expect(outcome(await send('changePartner', await asker('scope'), parts))).toEqual([
      412,
      'precondition_failed',
    ])
    expect((await ask()).status).toBe(202)
  })

  test('200: a report is returned, a partner is suspended and a citizen is erased already', async () => {
    const returned = await prepare('going_live')
    const report = { ...(returned.json as Body<'decideGoingLiveReport'>), status: 'RETURNED' as const }
    const parts = { path: returned.path, json: report }
    expect((await send('decideGoingLiveReport', await asker('going_live'), parts)).status).toBe(200)
    for (const kind of ['suspension', 'resumption', 'going_live', 'erasure'] as const) {
      const { ask, decide } = await prepare(kind)
      await decide('grantApproval', await second(kind), (await ask()).body.approval_id!)
      expect([kind, (await ask(undefined, {})).status]).toEqual([kind, 200])
    }
  })

  test('404, 409: what cannot be granted is refused at once', async () => {
    const query = { reason: 'Why' }
    for (const kind of KINDS) {
      const { id, json } = await prepare(kind)
      const path = kind === 'erasure' ? { uniqid: 'UNKNOWN' } : { partner_code: 'UNKNOWN' }
      const unknown = await send(id, await asker(kind), { path, query, ...(json && { json }) })
      expect([kind, unknown.status]).toEqual([kind, 404])
    }
    const { code } = await service.partner({ scopes: [] })
    const waiting = await send('resumePartner', await asker('resumption'), {
      path: { partner_code: code },
      query,
    })
    expect(outcome(waiting)).toEqual([409, 'going_live_report_required'])
  })
})

describe('createPartner', () => {
  const create = async (headers: object, query: Record<string, string>) => {
    const json = {
      partner_code: `WAITS_${Math.floor(Math.random() * 1e9)}`,
      name: 'Clinic',
      purpose: 'To test.',
    }
    const scopes = ['PROFILE_VIEW']
    const who = await personOf('asker', 'partners:write credentials:write')
    return send('createPartner', who, { path: {}, query, json: { ...json, scopes }, headers })
  }

  test('201: the partner has no scope until a second person grants them', async () => {
    const { status, body } = (await create({}, { reason: 'Why' })) as unknown as {
      status: number
      body: { partner: Schemas['Partner']; approval_id: string }
    }
    expect([status, body.partner.scopes]).toEqual([201, []])
    const path = { partner_code: body.partner.partner_code }
    const granted = await send('grantApproval', await second('scope'), {
      path: { approval_id: body.approval_id },
    })
    expect(granted.body).toMatchObject({ status: 'GRANTED', kind: 'scope', requested_by: 'asker', ...path })
    expect((await operator('readPartner', { path })).body.scopes).toEqual(['PROFILE_VIEW'])
  })

  test('422: without a reason there is no partner', async () => {
    const before = await service.countRows('partner', 'approval')
    expect(outcome(await create({}, {}))).toEqual([422, 'validation_failed'])
    expect(await service.countRows('partner', 'approval')).toEqual(before)
  })

  test('201: sent again with its Idempotency-Key, it is the same partner and approval', async () => {
    const json = { partner_code: 'WAITS_ONCE', name: 'Clinic', purpose: 'To test.', scopes: ['PROFILE_VIEW'] }
    const who = await personOf('asker', 'partners:write credentials:write')
    const parts = {
      path: {},
      query: { reason: 'Why' },
      json,
      headers: { 'Idempotency-Key': 'once-0123456789-0123' },
    }
    const first = await send('createPartner', who, parts)
    expect(await send('createPartner', who, parts)).toEqual(first)
    expect(first.status).toBe(201)
  })
})

test('what the people of a partner asked for does not stop an administrator', async () => {
  const { partner, ask } = await prepare('suspension')
  const { headers } = await service.signIn(partner.code)
  const call = callWorkbench(service.url, headers)
  for (let nth = 1; nth <= 50; nth++)
    await call('changeSettings', { body: { callback_url: `https://new-${nth}.example/` } })
  expect((await call('changeSettings', { body: { callback_url: 'https://new.example/' } })).status).toBe(429)
  expect((await ask()).status).toBe(202)
})

test('an erased citizen is in no row of the database', async () => {
  const { ask, decide, citizen } = await prepare('erasure')
  await decide('grantApproval', await second('erasure'), (await ask()).body.approval_id!)
  expect(await service.dumpDatabase()).not.toContain(citizen.uniqid)
})
