// `tiwala audit archive`: the whole audit can still be exported and verified, and so can the files alone.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { basePathOf } from '@tiwala/kit/operations'
import { createPartner, operatorApi } from '@tiwala/kit/users'
import { startService } from '@tiwala/server/testing'
import { databaseUrl } from '@tiwala/server/testing-database'
import { advanceMonths } from '@tiwala/server/testing-months'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { fetchEntries } from '../src/audit-entries.ts'
import type { OperatorTransport } from '../src/connect.ts'
import type { VerificationResult } from '../src/verify-entries.ts'
import { type Outcome, tiwala } from './tiwala.ts'

const folder = await mkdtemp(join(tmpdir(), 'tiwala-archive-'))
const service = await startService(inject('engine'), { TIWALA_AUDIT_ARCHIVE_DIR: folder })
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})
const url = service.url + basePathOf('operator')
const operator = operatorApi(url, await service.tokens.operator())
const { database } = await service.db
  .selectNoFrom((eb) => eb.fn<string>('current_database', []).as('database'))
  .executeTakeFirstOrThrow()
let archived: string[] = []
let stopped: Outcome
let checkedRows = 0

const run = async (...argv: string[]) =>
  tiwala(argv, {
    env: { TIWALA_OPERATOR_URL: url, TIWALA_OPERATOR_TOKEN: await service.tokens.operator() },
  })
const archive = async (...argv: string[]) => {
  const env = {
    DATABASE_URL: databaseUrl(inject('emptyDatabaseUrl'), database),
    TIWALA_DATA_DIR: service.config.dataDir,
    TIWALA_AUDIT_ARCHIVE_DIR: folder,
  }
  return tiwala(['audit', 'archive', ...argv], { env })
}

const isSealed = () =>
  vi.waitUntil(
    async () => (await operator('verifyAudit', { query: { limit: 1 } })).body.unsealed_rows === 0,
    { timeout: 60_000, interval: 50 },
  )

beforeAll(async () => {
  for (const partner_code of ['ARCHIVED_1', 'ARCHIVED_2']) {
    await createPartner(operator, { partner_code, scopes: ['PROFILE_INQUIRE'] })
    await isSealed()
  }
  await advanceMonths(service, 1)
  await createPartner(operator, { partner_code: 'PRESENT', scopes: ['PROFILE_INQUIRE'] })
  await isSealed()
  // A folder in the place of a file stops the command at the first month that has events.
  const { stdout } = await run('audit', 'months', '--json')
  const { months } = JSON.parse(stdout) as { months: { name: string }[] }
  const blocked = months.map(({ name }) => join(folder, `${name}.writing`, 'history.gz'))
  for (const path of blocked) await mkdir(path, { recursive: true })
  stopped = await archive('--until', '9999-12')
  for (const path of blocked) await rm(path, { recursive: true })
  const done = await archive('--until', '9999-12', '--json')
  archived = (JSON.parse(done.stdout) as { archived: string[] }).archived
  await isSealed()
})

test('3, not 2: a command that fails during its work', async () => {
  expect([stopped.exitCode, stopped.stderr]).toEqual([3, expect.stringContaining('EISDIR')])
  expect((await tiwala(['audit', 'archive', '--until', '2026-01'], { env: {} })).exitCode).toBe(2)
})

test('0: the archived months are named, and the second time there is nothing to do', async () => {
  // The command that failed had archived `past`.
  expect(archived).toEqual([expect.stringMatching(/^\d{6}$/)])
  expect(await archive('--until', '9999-12')).toMatchObject({
    exitCode: 0,
    stdout: 'Nothing to archive.\n',
  })
  expect((await archive('--until', '9999-13')).exitCode).toBe(2)
})

test('0: the service, the terminal and an export verify the archived events, too', async () => {
  const results = [
    await run('audit', 'verify', '--json'),
    await run('audit', 'verify', '--independent', '--json'),
  ]
  const file = join(folder, 'export.ndjson')
  expect((await run('audit', 'export', '--file', file)).exitCode).toBe(0)
  results.push(await run('audit', 'verify', '--export', file, '--json'))
  const found = results.map(({ stdout }) => JSON.parse(stdout) as VerificationResult)
  checkedRows = found[0]!.checked_rows
  expect(checkedRows).toBeGreaterThan(3)
  expect(found.map(({ first_fault, checked_rows }) => [first_fault, checked_rows])).toEqual(
    results.map(() => [null, checkedRows]),
  )
})

test('0: an export of a range has the archived events, too', async () => {
  const file = join(folder, 'range.ndjson')
  const { stderr } = await run('audit', 'export', '--file', file, '--from', '2000-01-01')
  expect(stderr).toContain(`events: ${checkedRows}`)
  expect((await run('audit', 'verify', '--export', file)).exitCode).toBe(0)
})

test('0: the files alone are an export', async () => {
  const parts = await Promise.all(archived.map((name) => readFile(join(folder, name, 'events.ndjson.gz'))))
  const file = join(folder, 'files.ndjson')
  await writeFile(file, Buffer.concat(parts.map((part) => gunzipSync(part))))
  const { exitCode, stdout } = await run('audit', 'verify', '--export', file, '--json')
  const { checked_rows, first_fault } = JSON.parse(stdout) as VerificationResult
  expect([exitCode, first_fault]).toEqual([0, null])
  expect(checked_rows).toBeGreaterThan(1)
  expect(checked_rows).toBeLessThan(checkedRows)
  // An empty `past` is not listed.
  const [, month, ...others] = (
    JSON.parse((await run('audit', 'months', '--json')).stdout) as { months: object[] }
  ).months
  expect(month).toMatchObject({ name: archived.at(-1), status: 'ARCHIVED', events: checked_rows })
  expect(others).toEqual([])
})

test('an export refuses to go on when months are archived meanwhile', async () => {
  let latest_archived_checkpoint = 0
  const call = async (id: string) => ({
    body: {
      keys: [],
      checkpoints: [],
      events: [],
      next_cursor: null,
      ...(id === 'listAuditKeys' && { latest_archived_checkpoint: latest_archived_checkpoint++ }),
    },
  })
  const readAll = async () => {
    for await (const _ of fetchEntries(call as unknown as OperatorTransport));
  }
  await expect(readAll()).rejects.toThrow('archived meanwhile')
})
