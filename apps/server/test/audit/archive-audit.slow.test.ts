// Closed months of the audit move to files. What citizens and administrators see of them stays the same, and a command
// that is killed at any point is continued by the next one.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Success } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { archiveAudit } from '../../src/audit/archive/archive-audit.ts'
import { openHistoryWriter, readHistoryBlocks } from '../../src/audit/archive/archive-files.ts'
import {
  ARCHIVING_LOCK_KEY,
  findArchives,
  findClosedPartitions,
} from '../../src/audit/archive/archive.sql.ts'
import { countMonthsAhead, MONTHS_AHEAD } from '../../src/audit/audit-partitions.sql.ts'
import { listAuditEvents } from '../../src/audit/list-audit-events/list-audit-events.ts'
import { SEALING_LOCK_KEY } from '../../src/audit/sealing/sealing.sql.ts'
import { verifyAudit } from '../../src/audit/verify-audit/verify-audit.ts'
import { countDaysAhead, DAYS_AHEAD } from '../../src/authorizations/record-partitions.sql.ts'
import type { Service } from '../../src/operation.ts'
import { openKeyRing } from '../../src/secrets/open-key-ring.ts'
import { advanceMonths } from '../kit/advance-months.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { databaseUrlOf, settingsOf } from '../kit/database-url.ts'
import { rolledBack, stopClockAt } from '../kit/stopped-clock.ts'

const SOON = { timeout: 60_000, interval: 20 }
const ARCHIVE_AUDIT = new URL('../../src/audit/archive/archive-audit.ts', import.meta.url)

const folder = await mkdtemp(join(tmpdir(), 'tiwala-archive-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const { service, api } = await startServiceForFile({
  TIWALA_AUDIT_ARCHIVE_DIR: folder,
  TIWALA_POLL_INTERVAL_SECONDS: '0',
})
const { db } = service
const environment = async () => ({ ...(await settingsOf(service)), TIWALA_AUDIT_ARCHIVE_DIR: folder })
const headers = api.asCitizen

async function json<Body>(pending: Promise<Response>): Promise<Body> {
  const response = await pending
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Body
}

/** Every page of the history, two disclosures on each. */
async function readHistory() {
  type Page = { disclosures: { id: string; disputed_at: string | null }[]; next_cursor: string | null }
  const all: Page['disclosures'] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: '2', ...(cursor && { cursor }) }
    const page: Page = await json(api.send('listDisclosures', { headers, query }))
    all.push(...page.disclosures)
    cursor = page.next_cursor
  }
  return all
}

const readProof = (disclosure_id: string) =>
  json(api.send('readDisclosureProof', { headers, path: { disclosure_id } }))
const verify = async () => (await api.operator('verifyAudit', { query: { limit: 1_000 } })).body
const isSealed = async () => {
  await vi.waitUntil(async () => (await verify()).unsealed_rows === 0, SOON)
}

async function discloseUnsealed() {
  const trackingNo = await api.createPendingRecord()
  expect((await api.accept(trackingNo)).status).toBe(200)
  for (let count = 0; count < 2; count++) expect((await api.inquire(trackingNo)).status).toBe(200)
  expect((await api.signIn(await api.issueAccessToken())).status).toBe(200)
}

async function disclose() {
  await discloseUnsealed()
  await isSealed()
}

async function advance(months = 1) {
  await advanceMonths(service, months)
  const isReady = async () => {
    const [days, allMonths] = await Promise.all([countDaysAhead(db), countMonthsAhead(db)])
    if (days === DAYS_AHEAD && allMonths === MONTHS_AHEAD) return true
    // A task that met a lock would run again only after half a minute.
    await service.advance(1)
    return false
  }
  await vi.waitUntil(isReady, { ...SOON, interval: 200 })
}

/** The events of a checkpoint, in pages of two. */
async function readEvents(checkpoint: number) {
  const events: object[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: { checkpoint: number; limit: number; cursor?: string } = { checkpoint, limit: 2 }
    if (cursor) query.cursor = cursor
    const { body }: { body: Success<'listAuditEvents'> } = await api.operator('listAuditEvents', { query })
    events.push(...body.events)
    cursor = body.next_cursor
  }
  return events
}

/**
 * Changes the text of the last member of an archive, which has a checkpoint and its events. The returned function restores
 * the files.
 */
async function alterLastMember(archive: string, change: (text: string) => string) {
  const [data, index] = [join(archive, 'events.ndjson.gz'), join(archive, 'events.index')]
  const [whole, ends] = [await readFile(data), await readFile(index)]
  const start = Number(ends.readBigInt64BE(ends.length - 16))
  const member = gzipSync(change(gunzipSync(whole.subarray(start)).toString()))
  const end = Buffer.alloc(8)
  end.writeBigInt64BE(BigInt(start + member.length))
  await writeFile(data, Buffer.concat([whole.subarray(0, start), member]))
  await writeFile(index, Buffer.concat([ends.subarray(0, -8), end]))
  return async () => {
    await writeFile(data, whole)
    await writeFile(index, ends)
  }
}

const changeActor = (text: string) => text.replace(/"actor":(null|"[^"]*")/, '"actor":"other"')
const changeLeaves = (text: string) => text.replaceAll(/(\\"ids_hash\\":\\".)./g, '$1!')

/** What of the archived months is seen from outside. */
const readAll = async () => {
  const history = await readHistory()
  const proofs = []
  for (const { id } of history) proofs.push(await readProof(id))
  return {
    history,
    proofs,
    disputes: (await api.operator('listDisputes', { query: {} })).body.disputes,
    receipt: (await api.operator('readErasure', { path: { uniqid: erased } })).body,
    events: await Promise.all([1, 2, 3].map(readEvents)),
  }
}

const erased = api.citizens[1]!.uniqid

// Three months, and the present one.
for (let month = 0; month < 3; month++) {
  for (let round = 0; round < 3; round++) await disclose()
  if (month === 0) {
    const [{ id: disclosure_id } = { id: '' }] = await readHistory()
    await json(api.send('disputeDisclosure', { headers, path: { disclosure_id } }))
    await api.operator('eraseCitizen', { path: { uniqid: erased } })
    await isSealed()
  }
  await advance()
}
await disclose()
const before = await readAll()
const verified = await verify()
const closed = await findClosedPartitions(db, '999912')

test('a command that is killed again and again loses nothing, and ends', async () => {
  expect(closed).toEqual(['past', ...closed.slice(1).toSorted()])
  expect(closed.length).toBe(4)
  const text = `import('${ARCHIVE_AUDIT.href}').then(({ archiveAudit }) => archiveAudit(process.env, '9999-12', () => {}))`
  let kills = 0
  for (let waitMs = 150; ; waitMs *= 1.15) {
    const child = spawn(process.execPath, ['--eval', text], {
      env: { ...process.env, ...(await environment()) },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    await Promise.race([exited, sleep(waitMs)])
    child.kill('SIGKILL')
    const [code] = (await exited) as [number | null]
    expect(code === null || code === 0).toBe(true)
    if (code === 0) break
    kills++
    expect((await verify()).first_fault).toBeNull()
  }
  expect(kills).toBeGreaterThan(2)
  expect((await readdir(folder)).toSorted()).toEqual(closed.toSorted())
  expect(await findClosedPartitions(db, '999912')).toEqual([])
})

test('200: history, proofs, disputes, receipts and checkpoints are as before', async () => {
  expect(await readAll()).toEqual(before)
})

test('200: the whole audit is verified, with the archived events', async () => {
  await isSealed()
  const now = await verify()
  expect(now.first_fault).toBeNull()
  // One event for each archived month, sealed by one checkpoint at least.
  expect(now.checked_rows).toBe(verified.checked_rows + closed.length)
})

test('200: an archived disclosure can be disputed, once', async () => {
  const { id: disclosure_id } = before.history.at(-1)!
  for (let count = 0; count < 2; count++) {
    const response = await api.send('disputeDisclosure', { headers, path: { disclosure_id } })
    expect([response.status, await response.json()]).toEqual([
      200,
      { ...before.history.at(-1), disputed_at: expect.any(String) },
    ])
  }
  const { disputes } = (await api.operator('listDisputes', { query: {} })).body
  expect(disputes.length).toBe(before.disputes.length + 1)
  expect(disputes[0]).toMatchObject({ disclosure_id })
  const path = { disclosure_id: 'req_0000000000000000000000' }
  for (const id of ['disputeDisclosure', 'readDisclosureProof'] as const)
    expect((await api.send(id, { headers, path })).status).toBe(404)
})

test('422: a cursor that is not of the list of an archived checkpoint', async () => {
  const checkpoint = (await findArchives(db))[0]!.first_checkpoint
  const query = { checkpoint, limit: 2, cursor: '-1' }
  await expect(api.operator('listAuditEvents', { query })).rejects.toMatchObject({ status: 422 })
})

test('200: another citizen sees nothing of an archived disclosure', async () => {
  const path = { disclosure_id: before.history.at(-1)!.id }
  const other = { Authorization: `Bearer ${api.citizens[2]!.token}` }
  expect((await api.send('readDisclosureProof', { headers: other, path })).status).toBe(404)
})

test('503: the archive cannot be read, and the present months answer', async () => {
  await rename(folder, `${folder}.gone`)
  const first = await api.send('listDisclosures', { headers, query: { limit: '2' } })
  const whole = await api.send('listDisclosures', { headers, query: { limit: '50' } })
  await rename(`${folder}.gone`, folder)
  expect([first.status, whole.status]).toEqual([200, 503])
  expect(((await whole.json()) as { message: string }).message).toContain('is in the archive')
})

test('verifyAudit finds an archive that was altered', async () => {
  const archive = join(folder, closed[1]!)
  const findAfter = async (change: (text: string) => string) => {
    const restore = await alterLastMember(archive, change)
    const { first_fault } = await verify()
    await restore()
    return first_fault?.what
  }
  expect(await findAfter(changeActor)).toBe('event_altered')
  expect(await findAfter(changeLeaves)).toBe('root_altered')
  expect(await findAfter((text) => text.replace(/\n[^\n]*\n$/, '\n'))).toBe('leaf_missing')
  expect(await findAfter((text) => text.replace('"signature":"', '"signature":"a'))).toBe(
    'checkpoint_altered',
  )
  const data = join(archive, 'events.ndjson.gz')
  const whole = await readFile(data)
  const changed = Buffer.from(whole)
  changed.writeUInt8(changed.readUInt8(changed.length - 20) ^ 1, changed.length - 20)
  await writeFile(data, changed)
  expect((await verify()).first_fault).toMatchObject({ checkpoint: expect.any(Number) as number })
  await writeFile(data, whole)
  // An index whose last member ends before its start.
  const index = join(archive, 'events.index')
  const ends = await readFile(index)
  await writeFile(index, Buffer.concat([ends.subarray(0, -8), Buffer.alloc(8)]))
  expect((await verify()).first_fault?.what).toBe('checkpoint_missing')
  await writeFile(index, ends)
  expect((await verify()).first_fault).toBeNull()
})

test('500: no proof is made from an archive that was altered', async () => {
  const statuses = async () => {
    const found = new Set<number>()
    for (const { id: disclosure_id } of before.history)
      found.add((await api.send('readDisclosureProof', { headers, path: { disclosure_id } })).status)
    return found
  }
  expect(await statuses()).toEqual(new Set([200]))
  // The last checkpoint of the second month has a sign-in.
  const restore = await alterLastMember(join(folder, closed[2]!), changeLeaves)
  expect(await statuses()).toEqual(new Set([200, 500]))
  await restore()
})

test('the history in the archive is covered by the hash of its index', async () => {
  const [data, index] = ['history.gz', 'history.index'].map((name) => join(folder, closed[1]!, name))
  const query = { limit: '50' }
  for (const [path, at] of [
    [index!, 20],
    [data!, -10],
  ] as const) {
    const whole = await readFile(path)
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.at(at)! ^ 1, at < 0 ? changed.length + at : at)
    await writeFile(path, changed)
    expect((await verify()).first_fault?.what).toBe(path === index ? 'history_altered' : undefined)
    expect((await api.send('listDisclosures', { headers, query })).status).toBe(503)
    await writeFile(path, whole)
  }
  expect((await api.send('listDisclosures', { headers, query })).status).toBe(200)
  const { events } = (await api.operator('listAuditEvents', { query: { kind: 'audit.archived', limit: 50 } }))
    .body
  const hash = createHash('sha256')
    .update(await readFile(index!))
    .digest('base64url')
  expect(events.filter(({ detail }) => detail!.endsWith(`, history ${hash}`))).toHaveLength(1)
})

test('503: nothing is shown from the archive of another database', async () => {
  const archive = join(folder, closed[1]!)
  const history = () => api.send('listDisclosures', { headers, query: { limit: '50' } })
  expect((await history()).status).toBe(200)
  // As the other service has written it: the same numbers of citizens, with other disclosures.
  const other = await mkdtemp(join(tmpdir(), 'tiwala-archive-'))
  const writer = await openHistoryWriter(other)
  for await (const { first, rows } of readHistoryBlocks(archive))
    await writer.add(
      rows.map((row) => ({ ...row, request_id: `req_${'0'.repeat(22)}` })),
      first,
    )
  await writer.close()
  const files = ['history.gz', 'history.index']
  const own = await Promise.all(files.map((file) => readFile(join(archive, file))))
  for (const file of files) await writeFile(join(archive, file), await readFile(join(other, file)))
  expect((await history()).status).toBe(503)
  for (const [index, file] of files.entries()) await writeFile(join(archive, file), own[index]!)
  expect((await history()).status).toBe(200)
  await rm(other, { recursive: true })

  const { last_checkpoint } = (await findArchives(db)).find(({ name }) => name === closed[1])!
  const events = () => readEvents(last_checkpoint)
  expect((await events()).length).toBeGreaterThan(0)
  const restore = await alterLastMember(archive, (text) => text.replace('"signature":"', '"signature":"a'))
  await expect(events()).rejects.toMatchObject({ status: 503 })
  await restore()
})

/** A database whose next month is archived after its first statement. */
async function archivedBetween() {
  await advance()
  await isSealed()
  const [settings, { keys, close }] = [await environment(), await openKeyRing(service.config, () => {})]
  let archiving: Promise<string[]> | undefined
  const racing = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      archiving ??= archiveAudit(settings, '9999-12', () => {})
      expect(await archiving).toHaveLength(1)
      return result
    },
  })
  return { service: { db: racing, keys, config: service.config } as unknown as Service, close }
}

test('200: a month that is archived meanwhile is no fault, and its events are listed', async () => {
  await disclose()
  const path = { uniqid: api.citizens[0]!.uniqid }
  await api.operator('readCitizen', { path, query: { reason: 'Ticket 4711' } })
  await isSealed()
  const [newest] = (await api.operator('listAuditEvents', { query: { limit: 1 } })).body.events
  const { checkpoint } = newest!.seal!
  const query = { checkpoint, limit: 1_000 }
  const { events } = (await api.operator('listAuditEvents', { query })).body
  const first = await archivedBetween()
  expect((await listAuditEvents(first.service, { query } as never)).body.events).toEqual(events)
  await first.close()
  const by = async (actor: string) =>
    (await api.operator('listAuditEvents', { query: { ...query, actor } })).body.events
  expect(await by(newest!.actor!)).toContainEqual(newest)
  expect(await by('other')).toEqual([])
  const { occurred_at: from } = newest!
  const to = new Date(Date.parse(from) + 1).toISOString()
  for (const [filter, isListed] of [
    [{ kind: newest!.kind }, true],
    [{ kind: 'partner.created' }, false],
    [{ partner_code: 'UNKNOWN' }, false],
    [{ from }, true],
    [{ from: to }, false],
    [{ to }, true],
    [{ to: from }, false],
  ] as const) {
    const listed = (await api.operator('listAuditEvents', { query: { ...query, ...filter } })).body.events
    expect([filter, listed.some(({ id }) => id === newest!.id)]).toEqual([filter, isListed])
  }
  const second = await archivedBetween()
  const { body } = await verifyAudit(second.service, { query: { limit: 1_000 } } as never)
  expect(body.first_fault).toBeNull()
  await second.close()
})

test('200: a disclosure keeps its proof when its checkpoint is archived with the month before', async () => {
  const sealing = new pg.Client(await databaseUrlOf(service))
  await sealing.connect()
  await sealing.query('select pg_advisory_lock($1)', [SEALING_LOCK_KEY])
  await discloseUnsealed()
  await advance()
  await discloseUnsealed()
  await sealing.end()
  await isSealed()
  const [newest] = await readHistory()
  const proof = await readProof(newest!.id)
  const names = await archiveAudit(await environment(), '9999-12', () => {})
  expect(names).toHaveLength(1)
  const { rows } = await sql`select from audit_event where request_id = ${newest!.id}`.execute(db)
  expect(rows).toHaveLength(1)
  expect(await readProof(newest!.id)).toEqual(proof)
  const stored = await sql<{ partition: string }>`
    select tableoid::regclass::text as partition from audit_event where request_id = ${newest!.id}`.execute(
    db,
  )
  const table = sql.table(stored.rows[0]!.partition)
  await sql`alter table ${table} disable trigger insert_only`.execute(db)
  const change = (actor: string | null) =>
    sql`update ${table} set actor = ${actor} where request_id = ${newest!.id}`.execute(db)
  await change('other')
  expect((await verify()).first_fault?.what).toBe('event_altered')
  await change(null)
  expect((await verify()).first_fault).toBeNull()
})

test('nothing is dropped if the files differ from the database', async () => {
  const own = await mkdtemp(join(tmpdir(), 'tiwala-archive-'))
  await cp(folder, own, { recursive: true })
  await disclose()
  await advance()
  await isSealed()
  const kept = await findClosedPartitions(db, '999912')
  const [name] = kept
  const settings = { ...(await environment()), TIWALA_AUDIT_ARCHIVE_DIR: own }
  const refused = archiveAudit(settings, '9999-12', ({ step }) => {
    if (step === 'write') return
    throw new Error('stopped')
  })
  await expect(refused).rejects.toThrow('stopped')
  const history = join(own, `${name}.writing`, 'history.index')
  expect((await readFile(history)).length).toBeGreaterThan(0)
  await rename(join(own, `${name}.writing`), join(own, name!))
  const archive = () => archiveAudit(settings, '9999-12', () => {})
  const restore = await alterLastMember(join(own, name!), changeActor)
  await expect(archive()).rejects.toThrow('event_altered. Nothing was dropped')
  await restore()
  // A block of the history has its hash in the index, so this changes the database instead of the file.
  const table = sql.table(`audit_event_${name!}`)
  await sql`alter table ${table} disable trigger insert_only`.execute(db)
  const archived = (await findArchives(db))[0]!.last_checkpoint
  const reverseIds = (condition: RawBuilder<unknown>) =>
    sql`
      update ${table} set request_id = reverse(request_id)
       where id in (select event_id from audit_leaf where ${condition})`.execute(db)
  const isNew = sql`checkpoint > ${archived}`
  await reverseIds(isNew)
  await expect(archive()).rejects.toThrow('the history differs from the database. Nothing was dropped')
  await reverseIds(isNew)
  // These are in the archive with the month before.
  const isEarlier = sql`checkpoint <= ${archived}`
  await reverseIds(isEarlier)
  await expect(archive()).rejects.toThrow('event_altered. Run "tiwala audit verify". Nothing was dropped')
  await reverseIds(isEarlier)
  await writeFile(join(own, name!, 'history.index'), '')
  await expect(archive()).rejects.toThrow('Nothing was dropped')
  expect(await findClosedPartitions(db, '999912')).toEqual(kept)
  await rm(own, { recursive: true })
})

test('a command refuses while another one archives', async () => {
  const other = new pg.Client(await databaseUrlOf(service))
  await other.connect()
  await other.query('select pg_advisory_lock($1)', [ARCHIVING_LOCK_KEY])
  await expect(archiveAudit(await environment(), '9999-12', () => {})).rejects.toThrow(
    'Another command archives',
  )
  await other.end()
})

test('a month is closed a day after its end, unless the default partition has an event before it', async () => {
  await rolledBack(db, async (tx) => {
    const { rows } = await sql<{ name: string; end: Date }>`
      select right(relname, 6) as name,
             (to_date(right(relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC' as "end"
        from pg_class where relname ~ '^audit_event_[0-9]{6}$' order by 1 limit 1`.execute(tx)
    const { name, end } = rows[0]!
    const isClosedAfter = async (hours: number) => {
      const time = new Date(end.getTime() + hours * 3_600_000).toISOString()
      await sql.raw(stopClockAt(`'${time}'`)).execute(tx)
      return (await findClosedPartitions(tx, '999912')).includes(name)
    }
    expect([await isClosedAfter(23), await isClosedAfter(24)]).toEqual([false, true])
    // The months that are in the archive have no partition.
    await sql`
      insert into audit_event (id, kind, request_id)
      values (audit_id_floor(to_date(${closed[1]!}, 'YYYYMM')::timestamp at time zone 'UTC'), 'test', 'test')`.execute(
      tx,
    )
    expect(await isClosedAfter(24)).toBe(false)
  })
})

test('a month is archived, however long its statements take', async () => {
  await advance()
  await isSealed()
  const [name] = await findClosedPartitions(db, '999912')
  // Longer than a statement of background work may take.
  await sql`
    create function take_long() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(2.5);
      return new;
    end $$`.execute(db)
  await sql`create trigger take_long before insert on audit_archive for each row execute function take_long()`.execute(
    db,
  )
  expect(await archiveAudit(await environment(), '9999-12', () => {})).toContain(name)
  await sql`drop function take_long cascade`.execute(db)
})

test('a month is archived only until the given one', async () => {
  await advance()
  const [name] = await findClosedPartitions(db, '999912')
  expect(name).toMatch(/^\d{6}$/)
  expect(await findClosedPartitions(db, '202001')).toEqual([])
})

test('200: a month whose partition was missing is archived, too', async () => {
  // No partition of this month was made ahead.
  await advance(MONTHS_AHEAD + 1)
  await disclose()
  const newest = async () =>
    (
      await sql<{ partition: string; month: string }>`
        select tableoid::regclass::text as partition, to_char(occurred_at at time zone 'UTC', 'YYYYMM') as month
          from audit_event order by id desc limit 1`.execute(db)
    ).rows[0]!
  const { partition, month } = await newest()
  expect(['audit_event_default', `audit_event_${month}`]).toContain(partition)
  await advance()
  await disclose()
  const history = await readHistory()
  expect((await archiveAudit(await environment(), '9999-12', () => {})).at(-1)).toBe(month)
  expect(await readHistory()).toEqual(history)
  await isSealed()
  expect((await verify()).first_fault).toBeNull()
})
