// Two visitors of the sandbox at once: what one does changes nothing of the other.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { callWorkbench } from '../kit/member.ts'
import { arrive, authorizationUrl } from '../kit/relying-party.ts'
import { createSandbox, type Sandbox } from '../kit/sandbox.ts'
import { refusal, startTestService, type TestService } from '../kit/test-service.ts'

type Rows = Map<string, string>

/** Tables whose times are not a visitor's: the audit is never changed, and the others have no lifetime. */
const NEVER_AGED = new Set([
  'bound_key',
  'audit_event',
  'partner',
  'sandbox',
  'migration',
  'callback_endpoint',
  'webhook_secret',
  // It disputes an event of the audit.
  'dispute',
  // A visitor stays signed in.
  'member_session',
  'operator_session',
  // Of the service and its administrators.
  'process',
  'operator_seen',
  // Of the version before.
  'sandbox_request',
  // Times of the archive of the audit, which no sandbox has.
  'audit_archive',
  'citizen',
  // Short-lived, and encrypted: it does not say to which sandbox it belongs.
  'oidc_state',
  'idempotent_response',
])

/** Something of every table that a visitor can write. */
async function useEverything(
  own: Sandbox,
  { url, signIn }: Pick<TestService, 'url' | 'signIn'>,
): Promise<void> {
  const { manual, profiles } = own
  const phone = own.app(manual.token)
  const { record } = await profiles.requestAuthorization(await own.showQr(manual.token, 'inquire'))
  await phone('acceptAuthorization', { path: { tracking_no: record.tracking_no } })
  await profiles.inquire(record.tracking_no)
  await profiles.requestAuthorization(await own.showQr(manual.token, 'inquire'))
  await own.sso.signIn((await own.signIn(manual.token)).body.exchange_code)
  await own.sso.generateToken((await own.signIn(manual.token)).body.exchange_code)
  const { auth_url, partner } = own
  const signInUrl = authorizationUrl(auth_url, partner.partner_code, 'http://localhost:3000/callback')
  const page = await arrive(auth_url, signInUrl)
  const { headers } = await signIn(partner.partner_code)
  await callWorkbench(url, headers)('changeSettings', { body: { sso_url: 'https://new.example/' } })
  await phone('openSignIn', { body: { code: await page.scan() } })
  const { disclosures } = (await phone('listDisclosures', {})).body
  await phone('disputeDisclosure', { path: { disclosure_id: disclosures[0]!.id } })
  await refusal(profiles.requestAuthorization(`TWQ1${'0'.repeat(32)}`))
  await expect.poll(async () => (await own.requests()).length).toBeGreaterThan(5)
  await expect.poll(async () => (await own.events()).length).toBe(2)
}

describe('two sandboxes', () => {
  test('200: moving the clock of one ages every table of it, and no row of the other', async () => {
    const service = await startTestService({})
    const [mine, other] = [await createSandbox(service.url), await createSandbox(service.url)]
    await useEverything(mine, service)
    await useEverything(other, service)
    await sql`
      insert into anomaly (anomaly_id, partner_id, kind, expected, threshold, observed, address_ranges)
      select gen_random_uuid(), partner_id, 'rate', 1, 300, 400, '{}' from sandbox`.execute(service.db)
    const { rows: tables } = await sql<{ name: string }>`
      select distinct table_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'timestamp with time zone'
         and not (select relispartition from pg_class where oid = table_name::regclass)`.execute(service.db)
    /** The times of each row, by its table and its id. */
    const read = async (): Promise<Rows> => {
      const found: Rows = new Map()
      for (const { name } of tables) {
        const { rows } = await sql<{ row: Record<string, unknown> }>`
          select to_jsonb(t) as row from ${sql.table(name)} t`.execute(service.db)
        for (const { row } of rows) {
          const times = Object.entries(row).filter(([, value]) => /^\d{4}-\d\d-\d\dT/.test(String(value)))
          found.set(`${name} ${String(row['id'] ?? row['request_id'])}`, JSON.stringify(times))
        }
      }
      return found
    }
    const before = await read()
    expect((await mine.advance(10)).status).toBe(200)
    const after = await read()
    // The log of requests and the events are written late, so new rows can come at any time. The process writes its own row.
    const changed = [...after]
      .filter(([key, times]) => (before.get(key) ?? times) !== times && !key.startsWith('process '))
      .map(([key]) => key)
    const agedTables = new Set(changed.map((key) => key.split(' ')[0]!))
    // Every table with times, unless it is listed above: a new table must be aged, or be listed.
    expect([...agedTables].toSorted()).toEqual(
      tables
        .map(({ name }) => name)
        .filter((name) => !NEVER_AGED.has(name))
        .toSorted(),
    )
    const owned = await sql<{ key: string }>`
      with s as (select * from sandbox where sandbox_id = ${mine.sandbox_id}),
      m as (select citizen_id from sandbox_citizen join s on s.id = sandbox)
      select 'credential ' || id as key from credential where partner_id in (select partner_id from s)
      union all select 'qr_code ' || id from qr_code where citizen_id in (select citizen_id from m)
      union all select 'authorization_record ' || id from authorization_record
                 where partner_id in (select partner_id from s)
      union all select 'exchange_code ' || id from exchange_code
                 where partner_id in (select partner_id from s)
      union all select 'access_token ' || id from access_token
                 where partner_id in (select partner_id from s)
      union all select 'sign_in_request ' || id from sign_in_request
                 where partner_id in (select partner_id from s)
      union all select 'anomaly ' || id from anomaly where partner_id in (select partner_id from s)
      union all select 'approval ' || id from approval where partner_id in (select partner_id from s)
      union all select 'diagnosis ' || request_id from diagnosis
                 where partner_id in (select partner_id from s)
      union all select 'callback_event ' || id from callback_event
                 where partner_id in (select partner_id from s)
      union all select 'member ' || id from member where partner_id in (select partner_id from s)
      union all select 'partner_request ' || request_id from partner_request
                 where partner_id in (select partner_id from s)
      union all select 'sandbox_event ' || id from sandbox_event where sandbox in (select id from s)`.execute(
      service.db,
    )
    const ownedBefore = owned.rows.map(({ key }) => key).filter((key) => before.has(key))
    expect(changed.toSorted()).toEqual(ownedBefore.toSorted())
    await service.close()
  })

  test('200: neither sees requests, events or diagnoses of the other, and each ends alone', async () => {
    const service = await startTestService({})
    const [mine, other] = [await createSandbox(service.url), await createSandbox(service.url)]
    await useEverything(mine, service)
    const findRefused = async () => (await mine.requests()).find(({ error }) => error)
    await expect.poll(findRefused).toBeDefined()
    expect([await other.requests(), await other.events()]).toEqual([[], []])
    const { request_id } = (await findRefused())!
    expect((await refusal(other.profiles.diagnose(request_id))).code).toBe('not_found')
    const { record } = await mine.profiles.requestAuthorization(
      await mine.showQr(mine.manual.token, 'inquire'),
    )
    expect((await refusal(other.profiles.inquire(record.tracking_no))).code).toBe('tracking_no_not_found')
    const seen = (await other.app(other.manual.token)('listAuthorizations', {})).body.authorizations
    expect(seen).toEqual([])
    const { body: partner } = await mine.operator('readPartner', { path: mine.partner })
    expect(partner.callback_url).toMatch(/\/sandbox\/inboxes\/[\w-]{36}$/)
    // Who sees the callback URL cannot control the sandbox.
    expect(JSON.stringify(partner)).not.toContain(mine.sandbox_id)
    const wrongKey = partner.callback_url!.replace(/.{36}$/, other.sandbox_id)
    expect((await fetch(wrongKey, { method: 'POST' })).status).toBe(404)
    await other.change('PUT', 'condition', { condition: 'suspended' })
    await other.advance(86_400)
    await other.change('DELETE', '')
    expect((await mine.profiles.inquire(record.tracking_no)).state).toBe('PENDING')
    await service.close()
  })

  test('403: the administrator token of one is for its partner only', async () => {
    const service = await startTestService({})
    const [mine, other] = [await createSandbox(service.url), await createSandbox(service.url)]
    const { partner_code } = mine.partner
    const own = { path: { partner_code } }
    expect((await mine.operator('suspendPartner', own)).body.status).toBe('SUSPENDED')
    expect((await mine.operator('resumePartner', own)).body.status).toBe('ACTIVE')
    const calls = [
      () => other.operator('readPartner', own),
      () => other.operator('suspendPartner', own),
      () => other.operator('rotateWebhookSecret', { ...own, body: { grace_days: 0 } }),
      () => other.operator('readPartner', { path: { partner_code: 'SANDBOX' } }),
      () => other.operator('listPartners', {}),
      () => other.operator('listDeliveries', { query: { partner_code } }),
      () => other.operator('listAuditEvents', {}),
      () => other.operator('eraseCitizen', { path: { uniqid: mine.manual.uniqid } }),
      () => mine.operator('setCallback', { ...own, body: { callback_url: null } }),
    ]
    for (const call of calls) expect((await refusal(call())).code).toBe('scope_not_granted')
    expect((await mine.operator('readOwnSession', {})).body.subject).toContain('sandbox')
    await service.close()
  })

  test('404: a sandbox ends after its time, and its partner and citizens with it', async () => {
    const service = await startTestService({ TIWALA_SANDBOX_HOURS: '2' })
    const own = await createSandbox(service.url)
    const hours = (Date.parse(own.expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(1.9)
    expect(hours).toBeLessThan(2.1)
    // Neither the clock of the sandbox nor that of the database ends it.
    await own.advance(3 * 3600)
    await service.advance(3 * 3600)
    expect((await own.change('GET', '')).status).toBe(200)
    await sql`update sandbox set expires_at = now() where sandbox_id <> 'default'`.execute(service.db)
    // Wakes the process that deletes it.
    await service.advance(1)
    expect(await own.change('GET', '')).toMatchObject({ status: 404, body: { error: 'not_found' } })
    // The default sandbox stays.
    await expect.poll(() => service.countRows('sandbox', 'sandbox_citizen')).toEqual([1, 14])
    expect((await refusal(own.profiles.whoAmI())).code).toBe('credentials_invalid')
    expect((await refusal(own.showQr(own.manual.token, 'inquire'))).code).toBe('not_found')
    await service.close()
  })
})
