// The log names each sealed checkpoint. An archive of the log therefore proves that no checkpoint was
// removed.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import { start } from '../../src/start.ts'
import { freePort, startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'
import { temporaryDatabase, temporaryFolder } from '../kit/temporary-resources.ts'

const POLLING = { timeout: 15_000, interval: 50 }

test('a checkpoint is logged once with its number and root, after its commit and not before', async () => {
  await using folder = await temporaryFolder()
  const service = await startService({ ...inject('postgres'), logFolder: folder.path })
  const { send, issueQrValue, asOperator } = await createApiClient(service.url)
  const logged = async () => {
    const files = await Promise.all(
      (await readdir(folder.path)).map((name) => readFile(join(folder.path, name), 'utf8')),
    )
    return files
      .flatMap((text) => text.split('\n').filter(Boolean))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  const sealedInLog = async () =>
    (await logged())
      .filter(({ msg }) => msg === 'an audit checkpoint was sealed')
      .map(({ time: _time, service: _service, version: _version, ...line }) => line)
      .toSorted((a, b) => Number(a['checkpoint']) - Number(b['checkpoint']))
  const sealed = async () => {
    const { checkpoints } = (await (await send('listCheckpoints', { headers: asOperator })).json()) as {
      checkpoints: Schemas['AuditCheckpoint'][]
    }
    return checkpoints
      .map(({ checkpoint, root }) => ({
        level: 'info',
        checkpoint,
        root,
        msg: 'an audit checkpoint was sealed',
      }))
      .toReversed()
  }
  const agree = async () => isDeepStrictEqual(await sealedInLog(), await sealed())
  const failures = async () =>
    (await logged()).filter(
      ({ msg }) => msg === 'the audit could not be sealed; the next attempt is in a second',
    ).length

  await issueQrValue('inquire')
  await expect.poll(async () => (await sealed()).length, POLLING).toBeGreaterThan(0)
  await expect.poll(agree, POLLING).toBe(true)

  // Every statement succeeds, and the commit fails.
  await sql`
    create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no'; end $$`.execute(service.db)
  await sql`
    create constraint trigger refuse after insert on audit_checkpoint deferrable initially deferred
      for each row execute function refuse()`.execute(service.db)
  // A checkpoint may have been sealed just before the trigger existed.
  await expect.poll(agree, POLLING).toBe(true)
  const before = await sealedInLog()
  await issueQrValue('share')
  await expect.poll(failures, POLLING).toBeGreaterThan(0)
  expect(await sealedInLog()).toEqual(before)

  await sql`drop trigger refuse on audit_checkpoint`.execute(service.db)
  await expect.poll(async () => (await sealed()).length, POLLING).toBeGreaterThan(before.length)
  await expect.poll(agree, POLLING).toBe(true)
  await service.close()
})

test.each([
  ['warn', true],
  ['silent', false],
])('at LOG_LEVEL=%s, checkpoints are logged: %s', async (level, isLogged) => {
  await using database = await temporaryDatabase('template0')
  const lines: string[] = []
  const log = createLog(level, { write: (line) => void lines.push(line) })
  const { service, close } = await start(
    readConfig({ ...database.settings, PORT: String(await freePort()) }),
    log,
  )
  await (await createApiClient(service.config.publicUrl)).issueQrValue('inquire')
  await expect
    .poll(async () => (await sql`select from audit_checkpoint`.execute(service.db)).rows.length, POLLING)
    .toBeGreaterThan(0)
  await close()
  expect(lines.some((line) => line.includes('an audit checkpoint was sealed'))).toBe(isLogged)
  expect(lines.some((line) => line.includes('request completed'))).toBe(false)
})
