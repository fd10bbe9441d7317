// Each list, with each of its filters, on each page: the rows that PostgreSQL reads do not depend on the size of the
// tables, on the values of the filters or on statistics. One citizen and one partner have nearly all rows.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findAnomalies } from '../../src/anomalies/anomaly.sql.ts'
import { findApprovals } from '../../src/approvals/approval.sql.ts'
import { findCheckpoints } from '../../src/audit/checkpoints/checkpoint.sql.ts'
import { findEvents } from '../../src/audit/list-audit-events/list-audit-events.sql.ts'
import { findPartnerWithSecrets } from '../../src/authentication/partner-with-secrets.sql.ts'
import { findRecordsOfAllPartners } from '../../src/authorizations/find-authorizations/find-authorizations.sql.ts'
import { listConsents } from '../../src/authorizations/list-authorizations/list-authorizations.sql.ts'
import { findRecordsOfPartner } from '../../src/authorizations/list-records/list-records.sql.ts'
import type { State } from '../../src/authorizations/record.sql.ts'
import { listChanges } from '../../src/authorizations/stream-events/stream-events.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { findDisclosure, listDisclosuresOf } from '../../src/disclosures/disclosure.sql.ts'
import { insertDispute, listAllDisputes, locateDispute } from '../../src/disclosures/dispute.sql.ts'
import { findPartners } from '../../src/partners/list-partners/list-partners.sql.ts'
import { findUse, type UsePosition } from '../../src/use/use.sql.ts'
import { findDeliveries, findEventPosition } from '../../src/webhooks/list-deliveries/list-deliveries.sql.ts'
import { findOwnDeliveries, findOwnPosition } from '../../src/webhooks/own-events.sql.ts'
import { restartDead } from '../../src/webhooks/replay-dead-letters/replay-dead-letters.sql.ts'
import { rotateStoredWebhookSecret } from '../../src/webhooks/webhook-secret.sql.ts'
import { addCredential, addParties, addPartner } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'

const ROWS = 4_000
const LIMIT = 10
/** It seals events of the actor `busy` only. */
const CHECKPOINT_OF_BUSY = 3_203
/**
 * A page reads at most one row more than it has places, of each range that it merges (7 states), and as many partners
 * and other rows that it shows.
 */
const MOST_READ = 7 * (LIMIT + 2)

const db = await openDatabaseForFile()
const { partner, otherPartner, citizen } = await addParties(db)
const hmacs = [citizen.uniqid_hmac]
const partner_code = partner.partner_code
const START = new Date('2026-01-01T00:00:00Z')
/** The time of row number `n`: one row a minute. */
const timeOf = (n: number) => new Date(START.getTime() + n * 60_000)
const timeInSql = sql`${START}::timestamptz + make_interval(mins => n)`
const TODAY = sql`(clock_now() at time zone 'UTC')::date`
const numbers = sql`generate_series(1, ${ROWS}::int) n`

for (const kind of ['profile.disclosed', 'profile.viewed', 'sso.authenticated', 'qr_code.issued'])
  await sql`
    insert into audit_event (occurred_at, kind, partner_id, citizen_id, request_id)
    select ${timeInSql}, ${kind}::text, ${partner.id}, ${citizen.id}, ${kind} || n from ${numbers}`.execute(
    db,
  )
await sql`
  insert into audit_event (occurred_at, kind, partner_id, request_id)
  values (${timeOf(1)}, 'partner.suspended', ${partner.id}, 'rare'),
         (${timeOf(1)}, 'profile.viewed', ${otherPartner.id}, 'rare')`.execute(db)
const rarePartner = await addPartner(db)
await sql`
  insert into audit_event (occurred_at, kind, partner_id, actor, request_id)
  select ${timeInSql}, 'citizen.written', ${partner.id}, 'busy', 'busy' || n from ${numbers}`.execute(db)
await sql`
  insert into audit_event (occurred_at, kind, partner_id, actor, request_id)
  values (${timeOf(1)}, 'partner.resumed', ${partner.id}, 'busy', 'rare'),
         (${timeOf(1)}, 'citizen.written', ${rarePartner.id}, 'busy', 'rare'),
         (${timeOf(1)}, 'citizen.written', null, 'rare', 'rare')`.execute(db)
await sql`
  insert into audit_checkpoint (number, body, signature, salt) select n, '', '', '' from ${numbers}`.execute(
  db,
)
await sql`
  insert into audit_leaf (checkpoint, position, event_id, hash)
  select 1 + n / 5, n, id, '' from (select id, row_number() over (order by id) as n from audit_event) e`.execute(
  db,
)
await sql`
  insert into dispute (request_id, citizen_id, partner_id)
  select request_id, citizen_id, partner_id from audit_event where kind = 'profile.viewed' order by id
  limit ${ROWS}`.execute(db)
await sql`
  insert into callback_event (partner_id, type, data, status, webhook_id, occurred_at)
  select ${partner.id}, 'webhook.test', json_build_object('tracking_no', 'NO' || n),
         case when n = 1 then 'DEAD' else 'DELIVERED' end, 'evt_' || n, ${timeInSql}
    from ${numbers}`.execute(db)
await sql`
  insert into authorization_record
         (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at)
  select n, ${partner.id}, ${citizen.id}, 'NO' || n, 'PROFILE_INQUIRE',
         case when n = 1 then 'ACCEPTED' else 'DECLINED' end, '', ${timeInSql}, ${timeInSql}
    from ${numbers}`.execute(db)
// An event stream reads these by when they were viewed and revoked.
await sql`
  insert into authorization_record
         (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at, ended_at)
  select ${ROWS}::int * length(state) + n, ${partner.id}, ${citizen.id}, state || n, 'PROFILE_VIEW', state, '',
         case state when 'VIEWED' then ${timeInSql} else ${START} end, ${timeInSql}, ${timeInSql}
    from ${numbers}, unnest(array['VIEWED', 'REVOKED']) state`.execute(db)
await sql`
  insert into partner_use
  select ${partner.id}, 'client', n::text, '2026-01-01', ${TODAY} from ${numbers}`.execute(db)
// Names that many partners use, nearly all of them long ago.
await sql`
  insert into partner_use
  select ${partner.id} + 100 + n, kind, 'many', ${TODAY} - 99, case when n = 1 then ${TODAY} - 1 else ${TODAY} - 99 end
    from ${numbers}, unnest(array['client', 'scope']) kind`.execute(db)
await sql`
  insert into partner (id, partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits)
  overriding system value
  select id, 'MANY_' || id, id, '', '', '{}', '{}', '{}' from (select distinct partner_id as id from partner_use) u
   where id > ${partner.id} + 100`.execute(db)
for (let count = 0; count < 2; count++) await addPartner(db)
// The oldest ones wait, or are open.
await sql`
  insert into approval (approval_id, kind, partner_id, requested_by, change, previous, expires_at, decision)
  select n::text, 'settings', ${partner.id}, '', '{}', '{}', clock_now() + make_interval(days => case n when 2 then -1 else 1 end),
         case when n > 2 then 'GRANTED' end from ${numbers}`.execute(db)
await sql`
  insert into anomaly (anomaly_id, partner_id, kind, expected, threshold, observed, address_ranges, ended_at)
  select n::text, ${partner.id}, 'rate', 1, 1, 1, '{}', case when n > 1 then clock_now() end from ${numbers}`.execute(
  db,
)
const idOf = async (requestId: string) => (await findDisclosure(db, hmacs, requestId))!.id
const middle = await idOf(`profile.viewed${ROWS / 2}`)
const { rows: busy } = await sql<{ id: number }>`
  select id from audit_event where request_id = ${`busy${ROWS / 2}`}`.execute(db)
const middleDispute = await locateDispute(db, `profile.viewed${ROWS / 2}`)
const middleDelivery = await findEventPosition(db, `evt_${ROWS / 2}`)
const middleOwn = await findOwnPosition(db, partner.id, `evt_${ROWS / 2}`)
const own = { partnerId: partner.id, type: undefined, status: undefined, since: undefined, until: undefined }
const DECLINED: State = 'DECLINED'
const NO_FILTER_OF_USE = { partnerCode: undefined, kind: undefined, name: undefined, since: undefined }
const middleUse = { kind: 'client' as const, name: '2000', partner_code }
const ofMany = { kind: 'client' as const, name: 'many', partner_code: `MANY_${partner.id + 100 + ROWS / 2}` }
/** Later than nearly all use of the name `many`. */
const since = new Date(Date.now() - 50 * 86_400_000)
const use = (
  name: string,
  rows: number,
  filter: Partial<Parameters<typeof findUse>[1]>,
  after?: UsePosition,
): Case => [`findUse ${name}`, rows, (tx) => findUse(tx, { ...NO_FILTER_OF_USE, ...filter }, after, LIMIT)]
const middleRecord = { requestedAt: timeOf(ROWS / 2), id: ROWS / 2 }

type Page = (tx: Database) => Promise<unknown[]>
type Case = [name: string, rows: number, page: Page]

/** Every combination of values, each present or absent, with a name. */
function combinations<Filter extends object>(values: Filter): [string, Partial<Filter>][] {
  let all: [string, Partial<Filter>][] = [['', {}]]
  for (const [key, value] of Object.entries(values))
    all = all.flatMap(([name, filter]): [string, Partial<Filter>][] => [
      [name, filter],
      [`${name} ${key}`, { ...filter, [key]: value }],
    ])
  return all
}

const auditFilters = [
  ...combinations({
    actor: 'busy',
    kind: 'citizen.written',
    partner_code,
    to: timeOf(ROWS / 2),
    from: timeOf(10),
    before: busy[0]!.id,
  }).filter(([, { actor }]) => actor),
  ...combinations({ kind: 'profile.viewed', partner_code, to: timeOf(ROWS / 2), from: timeOf(10) }),
  ...combinations({ kind: 'qr_code.issued', partner_code, before: middle }),
  ...combinations({ partner_code, to: timeOf(ROWS - 10), before: middle }),
]
const audit = ([name, { before, ...filter }]: [
  string,
  {
    kind?: string
    partner_code?: string
    actor?: string
    from?: Date
    to?: Date
    checkpoint?: number
    before?: number
  },
]): Case => [
  `findEvents${name}`,
  LIMIT,
  (tx) => findEvents(tx, { from: undefined, to: undefined, ...filter }, before, LIMIT),
]

const CASES: Case[] = [
  ...auditFilters.map(audit),
  ...[
    audit([' a rare kind', { kind: 'partner.suspended' }]),
    audit([' a rare kind of a partner', { kind: 'partner.suspended', partner_code }]),
    audit([' a rare actor', { actor: 'rare' }]),
    audit([' a rare kind of an actor', { actor: 'busy', kind: 'partner.resumed' }]),
    audit([' a rare partner of an actor', { actor: 'busy', partner_code: rarePartner.partner_code }]),
    audit([
      ' a rare kind of an actor and a partner',
      { actor: 'busy', kind: 'partner.resumed', partner_code },
    ]),
    audit([' a rare partner', { partner_code: otherPartner.partner_code }]),
    audit([
      ' a rare kind of a rare partner',
      { kind: 'profile.viewed', partner_code: otherPartner.partner_code },
    ]),
  ].map(([name, , page]): Case => [name, 1, page]),
  ...[
    ...combinations({ checkpoint: 7, kind: 'profile.disclosed', partner_code }),
    ...combinations({ checkpoint: CHECKPOINT_OF_BUSY, actor: 'busy', kind: 'citizen.written', partner_code }),
  ]
    .filter(([, filter]) => filter.checkpoint)
    .map((each): Case => [audit(each)[0], 5, audit(each)[2]]),
  ['findCheckpoints', LIMIT, (tx) => findCheckpoints(tx, undefined, LIMIT)],
  ['findCheckpoints before', LIMIT, (tx) => findCheckpoints(tx, ROWS / 2, LIMIT)],
  ['listDisclosuresOf', LIMIT, (tx) => listDisclosuresOf(tx, hmacs, undefined, LIMIT)],
  ['listDisclosuresOf after', LIMIT, (tx) => listDisclosuresOf(tx, hmacs, middle, LIMIT)],
  ['findDisclosure', 1, async (tx) => [await findDisclosure(tx, hmacs, `sso.authenticated${ROWS / 2}`)]],
  [
    'insertDispute',
    1,
    async (tx) => [await insertDispute(tx, hmacs, `sso.authenticated${ROWS / 2}`, 'disputing')],
  ],
  ...combinations({ partnerCode: partner_code, after: middleDispute }).map(
    ([name, { partnerCode, after }]): Case => [
      `listAllDisputes${name}`,
      LIMIT,
      (tx) => listAllDisputes(tx, { partnerCode, after, limit: LIMIT }),
    ],
  ),
  ['listAllDisputes of a citizen', LIMIT, (tx) => listAllDisputes(tx, { uniqidHmacs: hmacs, limit: LIMIT })],
  ...combinations({ partnerCode: partner_code, kind: 'client' as const, after: middleUse }).map(
    ([name, { after, ...filter }]) => use(name, LIMIT, filter, after),
  ),
  ...combinations({ partnerCode: partner_code, kind: 'client' as const }).map(([name, filter]) =>
    use(`of a name${name}`, 1, { ...filter, name: '2000' }),
  ),
  use('after the last row', 0, { partnerCode: partner_code, name: '2000' }, middleUse),
  ...combinations({ kind: 'client' as const, after: ofMany }).map(([name, { after, ...filter }]) =>
    use(`of a name of many partners${name}`, LIMIT, { ...filter, name: 'many' }, after),
  ),
  ...combinations({ kind: 'client' as const, after: middleUse }).map(([name, { after, ...filter }]) =>
    use(`since a day${name}`, LIMIT, { ...filter, since }, after),
  ),
  use('since a day of a rare kind', 1, { kind: 'scope', since }),
  use('since a day of a name', 2, { name: 'many', since }),
  use('since a day of a name and a kind', 1, { name: 'many', kind: 'client', since }),
  use('since a day of a name, after a position', 1, { name: 'many', since }, ofMany),
  use('since a year of a name', LIMIT, { name: 'many', since: START }),
  ...combinations({ partnerCode: partner_code, status: 'DELIVERED' as const, after: middleDelivery }).map(
    ([name, { partnerCode, status, after }]): Case => [
      `findDeliveries${name}`,
      LIMIT,
      (tx) => findDeliveries(tx, { partnerCode, status, after, limit: LIMIT }),
    ],
  ),
  ...combinations({ partnerCode: partner_code, status: 'DEAD' as const })
    .filter(([, { status }]) => status)
    .map(([name, { partnerCode, status }]): Case => [
      `findDeliveries${name}`,
      1,
      (tx) => findDeliveries(tx, { partnerCode, status, after: undefined, limit: LIMIT }),
    ]),
  ...combinations({
    type: 'webhook.test' as const,
    status: 'DELIVERED' as const,
    since: timeOf(10),
    until: timeOf(ROWS - 10),
    after: middleOwn,
  }).map(([name, { after, ...filter }]): Case => [
    `findOwnDeliveries${name}`,
    LIMIT,
    (tx) => findOwnDeliveries(tx, { ...own, trackingNo: undefined, ...filter }, after, LIMIT),
  ]),
  ...combinations({ status: 'DEAD' as const, trackingNo: 'NO1' })
    .slice(1)
    .map(([name, filter]): Case => [
      `findOwnDeliveries${name}`,
      1,
      (tx) => findOwnDeliveries(tx, { ...own, trackingNo: undefined, ...filter }, undefined, LIMIT),
    ]),
  ...combinations({ state: DECLINED, after: middleRecord }).flatMap(([name, { state, after }]): Case[] => [
    [
      `findRecordsOfPartner${name}`,
      LIMIT,
      (tx) => findRecordsOfPartner(tx, partner.id, { state, after, limit: LIMIT }),
    ],
    [`listConsents${name}`, LIMIT, (tx) => listConsents(tx, hmacs, { state, after, limit: LIMIT })],
  ]),
  [
    'listConsents a rare state',
    1,
    (tx) => listConsents(tx, hmacs, { state: 'ACCEPTED', after: undefined, limit: LIMIT }),
  ],
  ...[{ since: timeOf(ROWS - 9) }, { since: timeOf(ROWS - 19), until: timeOf(ROWS - 9) }].map(
    (span): Case => [
      `listChanges ${Object.keys(span).join()}`,
      // Of each of ten minutes: a request and its end, a view, and a revocation.
      40,
      (tx) => listChanges(tx, citizen.id, span, 120),
    ],
  ),
  ['findRecordsOfAllPartners', 1, (tx) => findRecordsOfAllPartners(tx, `NO${ROWS / 2}`)],
  ...(['PENDING', 'EXPIRED'] as const).map((status): Case => [
    `findApprovals ${status}`,
    1,
    (tx) => findApprovals(tx, { status }, undefined, LIMIT),
  ]),
  ['findApprovals', LIMIT, (tx) => findApprovals(tx, {}, undefined, LIMIT)],
  [
    'findAnomalies that are open',
    1,
    (tx) => findAnomalies(tx, { partnerCode: undefined, kind: undefined, open: true }, undefined, LIMIT),
  ],
  [
    'findPartners',
    LIMIT,
    (tx) => findPartners(tx, { status: undefined, text: undefined, after: undefined, limit: LIMIT }),
  ],
]

/** The rows that this transaction has read so far, by table. */
async function countRead(tx: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; read: number }>`
    select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as read
      from pg_stat_xact_user_tables where schemaname = 'public'`.execute(tx)
  return new Map(rows.map(({ name, read }) => [name, read]))
}

const ROLLBACK = new Error('roll back')

/** Runs the page in a transaction that is rolled back. */
async function measure(page: Page, planMode: string): Promise<{ rows: number; read: [string, number][] }> {
  let measured: { rows: number; read: [string, number][] } | undefined
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`select set_config('plan_cache_mode', ${planMode}, true)`.execute(tx)
      const before = await countRead(tx)
      const { length } = await page(tx)
      const after = await countRead(tx)
      const read = [...after].map(([name, count]): [string, number] => [
        name,
        count - (before.get(name) ?? 0),
      ])
      measured = { rows: length, read: read.filter(([, count]) => count > MOST_READ) }
      throw ROLLBACK
    })
    .catch((error: unknown) => {
      if (error !== ROLLBACK) throw error
    })
  return measured!
}

describe.each(['never analyzed', 'analyzed'])('with tables that were %s', (statistics) => {
  describe.each(['force_custom_plan', 'force_generic_plan'])('and %s', (planMode) => {
    test.each(CASES)('%s reads no more rows than its page has', async (_, rows, page) => {
      if (statistics === 'analyzed') await analyzed()
      expect(await measure(page, planMode)).toEqual({ rows, read: [] })
    })
  })
})

let analysis: Promise<unknown> | undefined
const analyzed = () => (analysis ??= sql`analyze`.execute(db))

test('restartDead reads no events of a partner that cannot get them', async () => {
  const deliverable = await addPartner(db, { callback_url: 'https://partner.example/events' })
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into callback_event (partner_id, type, data, status)
      select ${rarePartner.id}::bigint, 'webhook.test', '{}'::json, 'DEAD' from ${numbers}
      union all select ${deliverable.id}, 'webhook.test', '{}', 'DEAD'`.execute(tx)
    const readOf = async () => (await countRead(tx)).get('callback_event')!
    const before = await readOf()
    const selection = { partnerCode: undefined, type: undefined, from: undefined, to: undefined }
    const action = { kind: 'dead_letters.replayed', actor: 'administrator', requestId: 'replay' }
    expect(await restartDead(tx, selection, LIMIT, action)).toEqual({ replayed: 1, next: null })
    expect((await readOf()) - before).toBeLessThan(MOST_READ)
    await sql`delete from callback_event where partner_id in (${rarePartner.id}, ${deliverable.id})`.execute(
      tx,
    )
  })
})

test('an authentication and the salts of a delivery read no ended secrets', async () => {
  const rotated = await addPartner(db)
  await sql`
    insert into credential (partner_id, kind, hmac, expires_at)
    select ${rotated.id}, 'secret_token', 'ended ' || n, clock_now() - make_interval(secs => n) from ${numbers}`.execute(
    db,
  )
  await addCredential(db, rotated.id)
  const reads = { code: rotated.secret_code, timeZone: 'UTC' }
  await db.transaction().execute(async (tx) => {
    const before = (await countRead(tx)).get('credential')!
    const found = await findPartnerWithSecrets.secret_token(tx, reads)
    expect(found!.secrets).toHaveLength(1)
    expect((await countRead(tx)).get('credential')! - before).toBeLessThan(MOST_READ)
  })
  const rotate = () =>
    rotateStoredWebhookSecret(db, rotated.partner_code, randomUUID(), null, {
      kind: 'webhook_secret.rotated',
      actor: 'administrator',
      requestId: 'rotation',
    })
  for (let count = 0; count < 5; count++) await rotate()
  const { rows } = await sql`select from webhook_secret where partner_id = ${rotated.id}`.execute(db)
  expect(rows).toHaveLength(2)
})
