// A test that starts processes and never ends. `killed-run.test.ts` runs it and kills the run.
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startPostgres } from '../src/testing/postgres.ts'
import { startProcess } from '../test/kit/server-process.ts'

test('never ends', async () => {
  const postgres = await startPostgres(join(tmpdir(), 'postgres'), {})
  const settings = {
    DATABASE_URL: process.env['DATABASE_URL']!,
    TIWALA_DATA_DIR: join(tmpdir(), 'data'),
  }
  const server = await startProcess({ ...settings, LOG_LEVEL: 'silent' })
  await writeFile(process.env['PIDS_FILE']!, JSON.stringify({ postgres: postgres.pid(), server: server.pid }))
  expect(await postgres.accepts()).toBe(true)
  await new Promise(() => {})
})
