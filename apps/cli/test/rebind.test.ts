// `tiwala rebind` binds a database to changed settings.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { copyDatabase, databaseUrl, onServer } from '@tiwala/server/testing-database'
import { expect, inject, test } from 'vitest'
import { tiwala } from './tiwala.ts'

/** A migrated database, removed afterwards. */
async function migratedDatabase(setup: string) {
  const [server, name] = [inject('emptyDatabaseUrl'), `tiwala_rebind_${process.pid}_${Date.now()}`]
  await onServer(server, (admin) => copyDatabase(admin, 'tiwala_template', name))
  const url = databaseUrl(server, name)
  const query = (text: string) => onServer(url, async (client) => (await client.query(text)).rows as object[])
  await query(setup)
  const drop = () => onServer(server, (admin) => admin.query(`drop database ${name} with (force)`))
  return { url, query, [Symbol.asyncDispose]: async () => void (await drop()) }
}

test('a changed setting is stored after a confirmation, and nothing without one', async () => {
  await using database = await migratedDatabase(`
    insert into installation (environment) values ('sandbox');
    insert into bound_setting values ('TIWALA_TIME_ZONE', 'Asia/Tokyo')`)
  const bound = () => database.query('select name, value from bound_setting')
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-rebind-'))
  const settings = join(folder, 'tiwala.env')
  await writeFile(settings, `DATABASE_URL=${database.url}\nTIWALA_TIME_ZONE=Asia/Manila\n`)
  const rebind = (options: object, ...argv: string[]) =>
    tiwala(['rebind', '--settings', settings, ...argv], { env: {}, ...options })

  expect(await rebind({})).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('add --yes') })
  expect(await rebind({ isTTY: true, stdin: 'no\n' })).toMatchObject({ exitCode: 2 })
  expect(await bound()).toEqual([{ name: 'TIWALA_TIME_ZONE', value: 'Asia/Tokyo' }])

  const done = await rebind({ isTTY: true, stdin: 'rebind\n' })
  expect(done).toMatchObject({ exitCode: 0, stdout: 'TIWALA_TIME_ZONE: Asia/Tokyo -> Asia/Manila\n' })
  expect(done.stderr).toContain('What is stored was made with the old values, and stays as it is.')
  expect(await bound()).toEqual([{ name: 'TIWALA_TIME_ZONE', value: 'Asia/Manila' }])
  expect(await database.query('select kind, actor, detail from audit_event')).toEqual([
    {
      kind: 'setting.rebound',
      actor: `local:${userInfo().username}`,
      detail: 'TIWALA_TIME_ZONE: Asia/Tokyo -> Asia/Manila',
    },
  ])
  expect((await rebind({}, '--yes', '--json')).stdout).toBe('{\n  "changes": []\n}\n')
  await rm(folder, { recursive: true })
})

test('the environment of a database never changes', async () => {
  await using database = await migratedDatabase(`insert into installation (environment) values ('live')`)
  expect(await tiwala(['rebind', '--yes'], { env: { DATABASE_URL: database.url } })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('belongs to the live environment and this process is sandbox'),
  })
})
