// Each statement that discloses to a partner by OpenID Connect checks every permission itself, when it runs.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { discloseSignIn, discloseUserinfo } from '../../src/sign-ins/disclose-sign-in.sql.ts'
import { continueSignIn, insertSignIn, openPending } from '../../src/sign-ins/sign-in.sql.ts'
import { consumeState, findState, findStateByUid, putState } from '../../src/sign-ins/state.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { whileHeld } from '../kit/blocked-statements.ts'
import { DROP_AUDIT_ROWS } from '../kit/dropped-audit.ts'
import { interleave } from '../kit/interleave.ts'
import { addCredential, addPartner, read } from '../kit/rows.ts'
import { STOP_CLOCK } from '../kit/stopped-clock.ts'

const { service, api } = await startServiceForFile()
const partnerCode = api.partner.partner_code
const LEVELS = ['low', 'high']
const disclosure = {
  grantHmacs: ['grant'],
  partnerCode,
  levels: LEVELS,
  requestId: 'req_0000000000000000000000',
}

/** An approved request, which the browser has continued. */
const APPROVED = `
  insert into sign_in_purpose (partner_id, name, position, text, items, optional_items, minimum_acr)
  select id, 'default', 0, 'why', '{given_name}', '{email}', 'low' from partner where partner_code = '${partnerCode}';
  insert into sign_in_request (id, partner_id, interaction_uid, browser_hmac, purpose, items, optional_items, comparison,
                               state, expires_at, citizen_id, answered_at, shared_items, acr, authenticated_at,
                               grant_hmac, minimum_acr)
  select 'request', p.id, 'uid', 'browser', 'default', '{given_name}', '{email}', 'AB', 'APPROVED',
         clock_now() + interval '5 minutes', c.id, clock_now(), '{given_name,email}', 'low', clock_now(), 'grant', 'low'
    from partner p, citizen c
   where p.partner_code = '${partnerCode}' and c.id = (select min(citizen_id) from sandbox_citizen)`
const DISCLOSED = `update sign_in_request set disclosed_at = clock_now(), credential_id = (
  select k.id from credential k where k.partner_id = sign_in_request.partner_id and k.kind = 'partner_secret')`

const ofCredential = async (tx: Database): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    select k.id from credential k join partner p on p.id = k.partner_id
     where p.partner_code = ${partnerCode} and k.kind = 'partner_secret'`.execute(tx)
  return rows[0]!.id
}

const STATEMENTS = {
  'ID token': async (tx: Database) =>
    discloseSignIn(tx, { ...disclosure, credentialId: await ofCredential(tx) }),
  userinfo: async (tx: Database) => {
    await sql.raw(DISCLOSED).execute(tx)
    return discloseUserinfo(tx, disclosure)
  },
}

/** What the statement discloses after the changes, which are rolled back. */
async function disclosedAfter(name: keyof typeof STATEMENTS, ...changes: string[]) {
  let disclosed: { shared_items: string[] } | undefined
  const rollback = new Error('rollback')
  const run = service.db.transaction().execute(async (tx) => {
    for (const text of [...APPROVED.split(';'), ...changes]) await sql.raw(text).execute(tx)
    disclosed = await STATEMENTS[name](tx)
    throw rollback
  })
  await expect(run).rejects.toBe(rollback)
  return disclosed
}

const GUARDS: [what: string, text: string][] = [
  ['the partner is suspended', `update partner set status = 'SUSPENDED'`],
  ['the scope is withdrawn', `update partner set scopes = '{}'`],
  ['the citizen has frozen everything', 'update citizen set frozen = true'],
  [
    'the citizen has blocked the partner',
    'update citizen set blocked_partner_ids = array(select id from partner)',
  ],
  ['an item is no longer granted', `update sign_in_purpose set optional_items = '{}'`],
  ['the purpose is no longer granted', 'delete from sign_in_purpose'],
  ['the purpose needs more assurance', `update sign_in_purpose set minimum_acr = 'high'`],
  ['the purpose needs an unknown assurance', `update sign_in_purpose set minimum_acr = 'other'`],
  ['the partner asked for more assurance', `update sign_in_request set minimum_acr = 'high'`],
  ['the request is not approved', `update sign_in_request set state = 'DECLINED'`],
  ['the secret is revoked', 'update credential set revoked_at = clock_now()'],
  ['the secret has expired', `update credential set expires_at = clock_now() - interval '1 second'`],
  ['a backup was restored', 'update installation set epoch = epoch + 1'],
  ['the approval is old', `update sign_in_request set answered_at = clock_now() - interval '21 minutes'`],
]

for (const name of Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[]) {
  test(`${name}: the control discloses the items`, async () => {
    expect((await disclosedAfter(name))!.shared_items).toEqual(['given_name', 'email'])
  })

  test.each(GUARDS)(`${name}: nothing is disclosed if %s`, async (_what, text) => {
    expect(await disclosedAfter(name, text)).toBeUndefined()
  })
}

test('ID token: nothing is disclosed twice', async () => {
  expect(await disclosedAfter('ID token', DISCLOSED)).toBeUndefined()
})

test('userinfo: the number of reads is limited', async () => {
  expect(await disclosedAfter('userinfo', 'update sign_in_request set userinfo_reads = 19')).toBeDefined()
  expect(await disclosedAfter('userinfo', 'update sign_in_request set userinfo_reads = 20')).toBeUndefined()
})

/** Runs the acts at once, so that they share a statement, in a transaction that is rolled back. */
async function inOneBatch<Result>(
  prepare: string[],
  act: (tx: Database) => Promise<Result>[],
): Promise<Result[]> {
  let results: Result[] = []
  const rollback = new Error('rollback')
  const run = service.db.transaction().execute(async (tx) => {
    for (const text of prepare) await sql.raw(text).execute(tx)
    results = await Promise.all(act(tx))
    throw rollback
  })
  await expect(run).rejects.toBe(rollback)
  return results
}

test('ID token: of two uses of a grant in one batch, one discloses, and another partner gets nothing', async () => {
  const credentialId = await ofCredential(service.db)
  const use = { ...disclosure, credentialId }
  const disclosed = await inOneBatch(APPROVED.split(';'), (tx) => [
    discloseSignIn(tx, { ...use, partnerCode: 'OTHER' }),
    discloseSignIn(tx, use),
    discloseSignIn(tx, use),
  ])
  expect(disclosed.map((each) => each?.shared_items)).toEqual([undefined, ['given_name', 'email'], undefined])
})

test('userinfo: two reads of a grant in one batch both disclose, and count as two', async () => {
  const reads = await inOneBatch(
    [...APPROVED.split(';'), DISCLOSED, 'update sign_in_request set userinfo_reads = 18'],
    (tx) => Array.from({ length: 3 }, () => discloseUserinfo(tx, disclosure)),
  )
  expect(reads.map(Boolean)).toEqual([true, true, false])
})

test('a pushed request is consumed once and in its time, also by two requests in one batch, and each request gets its own state', async () => {
  const state = (idHmac: string, seconds = 60) => ({
    model: 'PushedAuthorizationRequest',
    idHmac,
    content: `content of ${idHmac}`,
    grantHmac: null,
    uidHmac: `uid of ${idHmac}`,
    seconds,
  })
  const key = (hmac: string) => ({ model: 'PushedAuthorizationRequest', hmacs: [hmac] })
  const used = await inOneBatch([], (tx) => [
    (async () => {
      const states = [state('a'), state('b'), state('c'), state('ended', 0)]
      await Promise.all(states.map((each) => putState(tx, each)))
      const found = await Promise.all([
        findState(tx, key('b')),
        findState(tx, key('x')),
        findState(tx, key('a')),
      ])
      const byUid = await findStateByUid(tx, key('uid of c'))
      const consumed = await Promise.all(
        ['a', 'a', 'b', 'x', 'ended'].map((hmac) => consumeState(tx, key(hmac))),
      )
      const again = await consumeState(tx, key('a'))
      return {
        found: [...found, byUid].map((row) => row?.content),
        consumed: [...consumed, again].filter(Boolean).length,
      }
    })(),
  ])
  expect(used).toEqual([
    {
      found: ['content of b', undefined, 'content of a', 'content of c'],
      consumed: 2,
    },
  ])
})

test('state from before a restore is neither found nor consumed', async () => {
  const model = 'PushedAuthorizationRequest'
  const state = { model, idHmac: 'old', content: '', grantHmac: null, uidHmac: 'uid of old', seconds: 60 }
  const key = { model, hmacs: ['old'] }
  const [found] = await inOneBatch([], (tx) => [
    (async () => {
      await putState(tx, state)
      await sql`update installation set epoch = epoch + 1`.execute(tx)
      const byUid = await findStateByUid(tx, { model, hmacs: ['uid of old'] })
      return [await findState(tx, key), byUid, await consumeState(tx, key)]
    })(),
  ])
  expect(found).toEqual([undefined, undefined, undefined])
})

test('userinfo: nothing is disclosed before the ID token', async () => {
  const [disclosed] = await inOneBatch(APPROVED.split(';'), (tx) => [discloseUserinfo(tx, disclosure)])
  expect(disclosed).toBeUndefined()
})

test('ID token: nothing is disclosed for the secret of another partner', async () => {
  const [disclosed] = await inOneBatch(APPROVED.split(';'), (tx) => [
    (async () => {
      const other = await addPartner(tx)
      const { id: credentialId } = await addCredential(tx, other.id, { kind: 'partner_secret' })
      return discloseSignIn(tx, { ...disclosure, credentialId })
    })(),
  ])
  expect(disclosed).toBeUndefined()
})

test.each([`status = 'SUSPENDED'`, `scopes = '{}'`])(
  'no request begins for a partner with %s',
  async (values) => {
    const begin = (...changes: string[]) =>
      inOneBatch([...APPROVED.split(';'), ...changes], (tx) => [
        (async () => {
          await insertSignIn(tx, {
            id: 'new',
            partnerCode,
            interactionUid: 'new',
            browserHmac: 'browser',
            purpose: null,
            items: [],
            minimumAcr: null,
            maxAgeSeconds: null,
            comparison: 'AB',
            ttlSeconds: 300,
          })
          return (await read(tx, `select from sign_in_request where id = 'new'`)).length
        })(),
      ])
    expect([await begin(), await begin(`update partner set ${values}`)]).toEqual([[1], [0]])
  },
)

test('a request is opened while it is pending, and by a QR code of the last five seconds', async () => {
  const isOpened = async (age: number | null, values = `state = 'PENDING'`) => {
    const pending = `update sign_in_request set citizen_id = null, ${values}`
    const [count] = await inOneBatch([STOP_CLOCK, ...APPROVED.split(';'), pending], (tx) => [
      (async () => {
        const [citizen] = await read<{ hmac: string; now: number }>(
          tx,
          `select uniqid_hmac as hmac, floor(extract(epoch from clock_now()))::float8 as now
             from citizen where id = (select min(citizen_id) from sandbox_citizen)`,
        )
        const { hmac, now } = citizen!
        const code = { id: 'request', second: age === null ? null : now - age }
        await openPending(tx, [hmac], code, disclosure.requestId)
        return (await read(tx, `select from sign_in_request where id = 'request' and citizen_id is not null`))
          .length
      })(),
    ])
    return count === 1
  }
  expect([await isOpened(0), await isOpened(5), await isOpened(6)]).toEqual([true, true, false])
  expect(await isOpened(null)).toBe(true)
  expect(await isOpened(null, `state = 'CANCELLED'`)).toBe(false)
  expect(await isOpened(null, `state = 'PENDING', expires_at = clock_now()`)).toBe(false)
})

test('an approved request goes on with one grant, until its disclosure, and in its time', async () => {
  const goesOn = async (...changes: string[]) => {
    const [continuation] = await inOneBatch([STOP_CLOCK, ...APPROVED.split(';'), ...changes], (tx) => [
      continueSignIn(tx, 'request', 'another grant'),
    ])
    return continuation !== undefined
  }
  const set = (values: string) => `update sign_in_request set grant_hmac = null, ${values}`
  expect(await goesOn(set(`state = 'APPROVED'`))).toBe(true)
  expect(await goesOn()).toBe(false)
  expect(await goesOn(set(`state = 'DECLINED'`))).toBe(false)
  expect(await goesOn(set('expires_at = clock_now()'))).toBe(true)
  expect(await goesOn(set(`answered_at = clock_now() - interval '5 minutes'`))).toBe(false)
  // After a fault, the browser binds the same grant again.
  const bound = `update sign_in_request set grant_hmac = 'another grant'`
  expect(await goesOn(bound)).toBe(true)
  expect(await goesOn(`${bound}, disclosed_at = clock_now()`)).toBe(false)
})

test('nothing is disclosed without its audit row', async () => {
  const run = service.db.transaction().execute(async (tx) => {
    for (const text of [...APPROVED.split(';'), DROP_AUDIT_ROWS]) await sql.raw(text).execute(tx)
    return STATEMENTS['ID token'](tx)
  })
  await expect(run).rejects.toThrow('the audit took 0 of 1 rows')
})

test('ID token: locks no row of the citizen, and discloses nothing if the citizen freezes while it waits', async () => {
  for (const text of APPROVED.split(';')) await sql.raw(text).execute(service.db)
  const citizen = `(select citizen_id from sign_in_request where id = 'request')`
  const rows = `select from citizen where id = ${citizen} for update`
  const rolledBack = new Error('rollback')
  const disclose = async (tx: Database) => {
    expect(await STATEMENTS['ID token'](tx)).toBeDefined()
    throw rolledBack
  }
  await expect(whileHeld(service.db, rows, disclose)).rejects.toBe(rolledBack)
  const [, disclosed] = await interleave(
    service.db,
    { name: 'the first commits' },
    async (tx) => {
      await sql.raw(`select pg_advisory_xact_lock(1, ${citizen}::int)`).execute(tx)
      await sql.raw(`update citizen set frozen = true where id = ${citizen}`).execute(tx)
    },
    STATEMENTS['ID token'],
  )
  expect(disclosed).toBeUndefined()
})
