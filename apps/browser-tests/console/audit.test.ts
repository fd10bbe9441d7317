// An auditor at the console: a file of a range, and where the months of the audit are.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type AuditEntry, fetchRange } from '@tiwala/cli/audit-range'
import { type OperatorOperations, routes } from '@tiwala/contract'
import operatorDocument from '@tiwala/contract/operator.json' with { type: 'json' }
import { createTransport } from '@tiwala/transport'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DESKTOP, PHONE, type View } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openFilters, showFiltered } from '../kit/views.ts'
import { hasCommand, look, openConsoleOf, signInTo } from './console-page.ts'

const TIWALA = fileURLToPath(new URL('../../cli/tiwala.js', import.meta.url))
const ROWS = 3

const folder = await mkdtemp(join(tmpdir(), 'tiwala-audit-'))
afterAll(() => rm(folder, { recursive: true }))
const service = await startServiceForFile({ TIWALA_AUDIT_ARCHIVE_DIR: folder })
const { url, tokens, db } = service

/** Calls as the CLI does. */
const operator = createTransport<OperatorOperations>(routes.operator, {
  baseUrl: url + new URL(operatorDocument.servers[0]!.url).pathname,
  headers: { Authorization: `Bearer ${await tokens.operator()}` },
})

const latestCheckpoint = async () => (await operator('listAuditKeys', {})).body.latest_checkpoint!
const isSealed = () =>
  vi.waitUntil(
    async () => (await operator('verifyAudit', { query: { limit: 1 } })).body.unsealed_rows === 0,
    { timeout: 60_000, interval: 50 },
  )

/** Events of an earlier month, which are sealed after all others. Returns the name of the month. */
async function addMonth(monthsAgo: number): Promise<string> {
  const { rows } = await sql<{ month: Date; name: string }>`
    select month, to_char(month, 'YYYYMM') as name
      from (select date_trunc('month', clock_now() at time zone 'UTC') - make_interval(months => ${monthsAgo}::int) as month) m`.execute(
    db,
  )
  const [{ name } = { name: '' }] = rows
  await sql`select make_audit_partition(to_date(${name}, 'YYYYMM'))`.execute(db)
  await sql`
    insert into audit_event (id, kind, request_id, actor)
    select audit_id_floor(to_date(${name}, 'YYYYMM')::timestamp at time zone 'UTC') + nextval('audit_event_number'),
           'partner.changed', 'req_' || n, 'of-' || ${name}
      from generate_series(1, ${ROWS}::int) n`.execute(db)
  await isSealed()
  return name
}

/** The files of the archive, as `archive-files.ts` describes them. The histories are empty. */
async function archive(name: string, last: number): Promise<void> {
  const members: AuditEntry[][] = [[]]
  for (let number = 1; number <= last; number++) {
    const entries: AuditEntry[] = []
    for await (const entry of fetchRange(operator, { first: number, last: number })) entries.push(entry)
    if (number === 1) members[0]!.push(...entries.filter((entry) => 'key' in entry))
    const events = entries.filter((entry) => 'event' in entry)
    members.push([
      ...entries.filter((entry) => 'checkpoint' in entry),
      ...events.toSorted((a, b) => a.event.seal!.position - b.event.seal!.position),
    ])
  }
  const data = members.map((lines) => gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
  const index = Buffer.alloc(8 * data.length)
  let end = 0
  for (const [member, { length }] of data.entries())
    index.writeBigInt64BE(BigInt((end += length)), 8 * member)
  await mkdir(join(folder, name))
  for (const [file, bytes] of Object.entries({
    'events.ndjson.gz': Buffer.concat(data),
    'events.index': index,
    'history.gz': '',
    'history.index': '',
  }))
    await writeFile(join(folder, name, file), bytes)
  // The service reads the partition meanwhile, so the statement may have to try again, as the command does.
  const endPartition = sql`
    select end_audit_partition(${name}::text, 1::bigint, ${last}::bigint, null::text, 'local:test'::text, 'req_test'::text)`
  await vi.waitFor(() => endPartition.execute(db), 60_000)
}

let [archived, closed] = ['', '']
let lastArchived = 0
beforeAll(async () => {
  // Two checkpoints, the oldest month first: the sealer reads no event that is months older than the last one.
  // The last month is closed only a day after its end.
  await addMonth(3)
  archived = await addMonth(3)
  lastArchived = await latestCheckpoint()
  await archive(archived, lastArchived)
  closed = await addMonth(2)
})

async function openAudit(view: View): Promise<Page> {
  const page = await openConsoleOf(url, view)
  await signInTo(url, page, 'auditor')
  await page.goto(`${url}/console/#/audit`)
  await page.getByRole('button', { name: 'Export this range' }).waitFor()
  return page
}

/** Clicks, and returns the path of the file that the browser saves. */
async function save(page: Page, label: string): Promise<{ name: string; path: string }> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: label }).click()
  const download = await saving
  const path = join(folder, `${page.viewportSize()!.width}-${download.suggestedFilename()}`)
  await download.saveAs(path)
  return { name: download.suggestedFilename(), path }
}

const verify = (path: string, ...argv: string[]) =>
  promisify(execFile)(process.execPath, [
    TIWALA,
    'audit',
    'verify',
    '--export',
    path,
    '--json',
    ...argv,
  ]).then(
    ({ stdout }) => JSON.parse(stdout) as { checked_rows: number; first_fault: unknown },
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )

describe.each([
  { ...PHONE, scheme: 'dark' as const },
  { ...DESKTOP, scheme: 'light' as const },
])('at $width px, $scheme', (view) => {
  test('a range is saved as a file that the terminal verifies, and a list as one that it refuses', async () => {
    const page = await openAudit(view)
    const all = await save(page, 'Export this range')
    const last = Number(/^audit-1-(\d+)\.ndjson$/.exec(all.name)![1])
    const { last_position } = (await operator('readCheckpoint', { path: { checkpoint: last } })).body
    expect(await verify(all.path)).toMatchObject({ checked_rows: last_position, first_fault: null })
    await page
      .getByText(`${last_position} events are in ${all.name}, the checkpoints 1 to ${last}.`)
      .waitFor()

    // From the last archived checkpoint on.
    const { sealed_at, first_position } = (
      await operator('readCheckpoint', { path: { checkpoint: lastArchived } })
    ).body
    const from = await page.evaluate((at) => {
      const time = new Date(at)
      return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
    }, sealed_at)
    await page.goto(`${url}/console/#/audit?from=${from}`)
    await hasCommand(page, `tiwala audit export --file audit.ndjson --from ${sealed_at}`)
    const range = await save(page, 'Export this range')
    const [, first, end] = /^audit-(\d+)-(\d+)\.ndjson$/.exec(range.name)!.map(Number)
    // The sign-in may be sealed in a checkpoint of its own.
    expect([first, end! >= last]).toEqual([lastArchived, true])
    const events = (await operator('readCheckpoint', { path: { checkpoint: end! } })).body.last_position
    expect(await verify(range.path, '--from-checkpoint', String(lastArchived))).toMatchObject({
      checked_rows: events - first_position + 1,
      first_fault: null,
    })
    expect(await verify(range.path)).toMatchObject({ code: 4 })
    await page
      .getByText(
        `tiwala audit verify --export ${range.name} --from-checkpoint ${lastArchived} --keys keys.json`,
      )
      .waitFor()
    await look(page, 'audit-range')

    await page.goto(`${url}/console/#/audit`)
    await openFilters(page)
    await page.getByLabel('Actor').fill(`of-${closed}`)
    await showFiltered(page)
    await page.getByText('It proves nothing: it cannot be verified').waitFor()
    await hasCommand(page, `tiwala audit events --actor of-${closed} --all --json > audit-events.ndjson`)
    const list = await save(page, 'Export these events')
    const lines = (await readFile(list.path, 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { actor: string }).actor)).toEqual(
      Array.from({ length: ROWS }, () => `of-${closed}`),
    )
    expect(await verify(list.path)).toMatchObject({ code: 2 })
    await look(page, 'audit-list')
  })

  test('the months say which is archived, and the command archives the next one', async () => {
    const page = await openAudit(view)
    const toMonth = (name: string) => `${name.slice(0, 4)}-${name.slice(4)}`
    const row = (name: string) => page.getByRole('row', { name: toMonth(name) })
    await row(closed).getByText('can be archived').waitFor()
    await row(archived).getByText('not yet').waitFor()
    expect(await row(closed).getByText('no files').count()).toBe(1)
    await row(archived).getByText(`checkpoints 1 to ${lastArchived}`).waitFor()
    await page
      .getByText(`tiwala audit archive --settings /etc/tiwala/tiwala.env --until ${toMonth(closed)}`)
      .waitFor()
    await look(page, 'audit-months')
    await page.getByRole('button', { name: 'Verify the audit' }).click()
    await row(archived).getByText('no fault').waitFor()
    await look(page, 'audit-months-verified')
  })
})

test('a command has no text of the address but values in quotes', async () => {
  // The service does not know the filter of the address.
  const page = await openConsoleOf(url, DESKTOP, /status of (401|422)/)
  await signInTo(url, page, 'auditor')
  for (const [query, options] of [
    ['actor=a%3Bid&limit%201%3Bid%3B%23=1&token_command=id&url=https://evil.example', "--actor 'a;id'"],
    ['actor=--token-command%3Did', "--actor='--token-command=id'"],
    ['actor=%03%0Aid%0A', "--actor ' id '"],
  ] as const) {
    await page.goto(`${url}/console/#/audit?${query}`)
    await hasCommand(page, `tiwala audit events ${options}`)
    expect(await page.locator('code', { hasText: /evil|https/ }).count()).toBe(0)
  }
})

test('a verification ends with its view', async () => {
  const page = await openAudit(DESKTOP)
  let requests = 0
  await page.route('**/operator/v1/audit/verify?*', async (route) => {
    const response = await route.fetch()
    requests++
    await route.fulfill({ response, json: { ...((await response.json()) as object), next_checkpoint: 1 } })
  })
  await page.getByRole('button', { name: 'Verify the audit' }).click()
  await expect.poll(() => requests).toBeGreaterThan(2)
  await page.goto(`${url}/console/#/keys`)
  await page.getByRole('button', { name: 'Verify the audit' }).waitFor({ state: 'detached' })
  // One may be on its way.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const before = requests
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(requests).toBe(before)
})

test('an export that is cancelled saves nothing, and one that is too large names the terminal', async () => {
  const page = await openAudit(DESKTOP)
  let downloads = 0
  page.on('download', () => downloads++)
  const button = page.getByRole('button', { name: 'Export this range' })
  await page.route('**/operator/v1/audit?checkpoint=*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await button.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
  expect(await page.getByText('events are in').count()).toBe(0)
  await page.route('**/operator/v1/audit/checkpoints/*', async (route) => {
    const response = await route.fetch()
    const checkpoint = (await response.json()) as { checkpoint: number; last_position: number }
    await route.fulfill({ response, json: { ...checkpoint, last_position: 20_001 } })
  })
  await button.click()
  await page.getByText('20,001 events are too many for a browser.').waitFor()
  expect(downloads).toBe(0)
})
