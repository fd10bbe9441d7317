// The statements on partners change the partner and the secrets that they name, and no others.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type NewPartner, replacePartner } from '../../src/partners/create-partner/create-partner.sql.ts'
import { countExpiring, remindOfExpiry } from '../../src/partners/credentials/expiry-reminder.sql.ts'
import { endReplacedSecrets } from '../../src/partners/credentials/rotate-credential/rotate-credential.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service } = await startServiceForFile()
const writer = { db: service.db, partnerCache: { invalidate() {} } } as never
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * DAY_MS)

type Kind = 'secret_token' | 'partner_secret'
type Secret = { id: number; credential_id: string; kind: Kind; hmac: string; expires_at: Date }

const describePartner = (partner_code: string): NewPartner => ({
  partner_code,
  secret_code: randomUUID(),
  name: partner_code,
  purpose: 'To test.',
  scopes: [],
  callback_url: 'https://partner.example/events',
  sso_url: null,
  ip_allow_list: [],
  limits: {} as never,
  created_at: inDays(-1),
})

const newSecrets = () => ({
  hmacs: (['secret_token', 'partner_secret'] as const).map((kind) => ({ kind, hmac: randomUUID() })),
  expiresAt: inDays(365),
  webhookSalt: randomUUID(),
})

/** A partner with its first secrets, a failing endpoint and some usage. Returns its id. */
async function addPartner(partnerCode: string, secrets = newSecrets()): Promise<number> {
  await replacePartner(service.db, describePartner(partnerCode), secrets)
  const { rows } = await sql<{ id: number }>`
    select id from partner where partner_code = ${partnerCode}`.execute(service.db)
  const { id } = rows[0]!
  await sql`insert into callback_endpoint values (${id}, clock_now(), true)`.execute(service.db)
  await sql`insert into partner_usage values (${id}, current_date, 7)`.execute(service.db)
  return id
}

const secretsOf = async (partnerId: number): Promise<Secret[]> =>
  (
    await sql<Secret>`
      select id, credential_id, kind, hmac, expires_at from credential
       where partner_id = ${partnerId} and revoked_at is null order by id`.execute(service.db)
  ).rows

/** Everything of a partner that these statements can change. */
const read = async (partnerId: number) =>
  (
    await sql`
      select p.callback_url, p.status,
             (select json_agg(c order by id) from credential c where partner_id = p.id) as secrets,
             (select json_agg(w order by id) from webhook_secret w where partner_id = p.id) as salts,
             (select json_agg(e) from callback_endpoint e where partner_id = p.id) as endpoints,
             (select json_agg(u) from partner_usage u where partner_id = p.id) as usage
        from partner p where id = ${partnerId}`.execute(service.db)
  ).rows[0]

describe('replacePartner', () => {
  test('replaces the secrets of this partner, and changes no other', async () => {
    const [own, other] = [await addPartner('REPLACED'), await addPartner('UNTOUCHED')]
    const before = await read(other)
    const secrets = newSecrets()
    await replacePartner(service.db, describePartner('REPLACED'), secrets)
    expect((await secretsOf(own)).map(({ hmac }) => hmac)).toEqual(secrets.hmacs.map(({ hmac }) => hmac))
    expect(await read(own)).toMatchObject({
      salts: [{ salt: secrets.webhookSalt }],
      endpoints: [{ disabled_at: null, is_failing: false }],
    })
    expect(await read(other)).toEqual(before)
  })

  test('keeps the first secrets while they are unchanged, also beside those of another partner', async () => {
    const secrets = newSecrets()
    // Another partner with the same secrets does not stand for those of this one.
    await addPartner('TWIN', secrets)
    const own = await addPartner('KEPT', secrets)
    const before = await secretsOf(own)
    expect(before).toHaveLength(2)
    await replacePartner(service.db, describePartner('KEPT'), secrets)
    expect(await secretsOf(own)).toEqual(before)
  })

  test.each([
    ['revoked', 'revoked_at = clock_now()'],
    ['shortened', `expires_at = clock_now() + interval '1 hour'`],
  ])('replaces a first secret that was %s', async (what, change) => {
    const secrets = newSecrets()
    const own = await addPartner(`CHANGED_${what}`, secrets)
    const [token, secret] = await secretsOf(own)
    await sql.raw(`update credential set ${change} where id = ${token!.id}`).execute(service.db)
    await replacePartner(service.db, describePartner(`CHANGED_${what}`), secrets)
    const after = await secretsOf(own)
    expect(after).toMatchObject([
      { id: secret!.id },
      { kind: 'secret_token', hmac: token!.hmac, expires_at: secrets.expiresAt },
    ])
    expect(after).toHaveLength(2)
  })
})

describe('countExpiring and remindOfExpiry', () => {
  /** How many secrets of one more partner are counted, and how many events remind of them. */
  async function count(changes: string[] = []): Promise<{ counted: number; reminded: number }> {
    const secrets = { ...newSecrets(), expiresAt: inDays(20) }
    const before = await countExpiring(service.db, 30)
    const own = await addPartner(randomUUID(), secrets)
    for (const change of changes) await sql.raw(change.replaceAll('$own', String(own))).execute(service.db)
    const counted = (await countExpiring(service.db, 30)) - before
    // Each secret is reminded of once.
    await remindOfExpiry(service.db, 30, 1_000)
    await remindOfExpiry(service.db, 30, 1_000)
    const { rows } = await sql`
      select from callback_event where partner_id = ${own} and type = 'credential.expiring'`.execute(
      service.db,
    )
    return { counted, reminded: rows.length }
  }
  const successor = (values: string) =>
    `insert into credential (partner_id, kind, hmac, expires_at, revoked_at) values ($own, ${values})`
  const LATER = `clock_now() + interval '1 year'`
  const SAME_TIME = `(select max(expires_at) from credential where partner_id = $own)`

  test.each([
    { what: 'both secrets', changes: [], counted: 2 },
    {
      what: 'a revoked one',
      changes: [`update credential set revoked_at = clock_now() where partner_id = $own`],
      counted: 0,
    },
    {
      what: 'an expired one',
      changes: [`update credential set expires_at = clock_now() - interval '1 s' where partner_id = $own`],
      counted: 0,
    },
    { what: 'a successor', changes: [successor(`'secret_token', '', ${LATER}, null`)], counted: 1 },
    {
      what: 'a revoked successor',
      changes: [successor(`'secret_token', '', ${LATER}, clock_now()`)],
      counted: 2,
    },
    {
      what: 'a successor that ends at the same time',
      changes: [successor(`'secret_token', '', ${SAME_TIME}, null`)],
      counted: 3,
    },
    {
      what: 'an older secret that lives longer',
      changes: [
        successor(`'secret_token', '', ${LATER}, null`),
        `update credential set id = default where partner_id = $own and hmac <> ''`,
      ],
      counted: 2,
    },
  ])('$what', async ({ changes, counted }) => {
    expect(await count(changes)).toEqual({ counted, reminded: counted })
  })
})

describe('endReplacedSecrets', () => {
  const end = (
    partnerCode: string,
    replaced: string[],
    until: Date,
    successor = 'crd_lost',
    at = inDays(1),
  ) =>
    endReplacedSecrets(
      writer,
      partnerCode,
      { kind: 'secret_token', successor, replaced: replaced.map((id) => ({ id, until })) },
      at,
      { kind: 'credential.rotated', actor: 'admin', requestId: randomUUID() },
    )

  test('ends the named secrets of this partner, and no other', async () => {
    const [own, other] = [await addPartner('ROTATED'), await addPartner('NOT_ROTATED')]
    const [[token, secret], [foreign]] = [await secretsOf(own), await secretsOf(other)]
    const before = await read(other)
    const until = inDays(3)
    const outcome = await end('ROTATED', [token!.credential_id, foreign!.credential_id], until)
    expect(outcome).toEqual({ known: 1, ended: 1, needs_secret: true })
    expect(await secretsOf(own)).toEqual([{ ...token, expires_at: until }, secret])
    expect(await read(other)).toEqual(before)
    expect(await end('ROTATED', [token!.credential_id], until)).toMatchObject({ known: 1, ended: 0 })
  })

  test('does not touch a secret that is revoked', async () => {
    const own = await addPartner('REVOKED')
    const [token] = await secretsOf(own)
    await sql`update credential set revoked_at = clock_now() where id = ${token!.id}`.execute(service.db)
    const outcome = await end('REVOKED', [token!.credential_id], inDays(3))
    expect(outcome).toMatchObject({ known: 1, ended: 0 })
  })

  test('a partner needs no new secret if it has the successor, or a later one of the kind', async () => {
    const [own] = [await addPartner('SUCCEEDED'), await addPartner('BYSTANDER')]
    const [token, secret] = await secretsOf(own)
    const needsSecret = async (successor: string, at: Date) =>
      (await end('SUCCEEDED', [], inDays(3), successor, at))!.needs_secret
    expect(await needsSecret(token!.credential_id, inDays(1))).toBe(false)
    expect(await needsSecret('crd_lost', inDays(-1))).toBe(false)
    expect(await needsSecret('crd_lost', inDays(1))).toBe(true)
    // A secret of the other kind does not count.
    await sql`delete from credential where id = ${token!.id}`.execute(service.db)
    expect(await needsSecret(secret!.credential_id, inDays(-1))).toBe(true)
    await sql`update credential set kind = 'secret_token', revoked_at = clock_now()
               where id = ${secret!.id}`.execute(service.db)
    expect(await needsSecret(secret!.credential_id, inDays(-1))).toBe(true)
  })
})
