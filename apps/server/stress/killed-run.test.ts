// A killed test run leaves no process behind. test/process/process-groups.test.ts covers the end of a single
// test.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { killGroupWithParent } from '../src/testing/process-group.ts'
import { listParentAndChildren, listGroupMembers, listProcesses } from '../test/kit/process-table.ts'
import { temporaryDatabase, temporaryFolder } from '../test/kit/temporary-resources.ts'

const VITEST = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')))
const POLLING = { timeout: 60_000, interval: 50 }

test('a killed run leaves neither its servers nor its PostgreSQL, nor the data of PostgreSQL', async () => {
  await using database = await temporaryDatabase()
  await using folder = await temporaryFolder()
  // PostgreSQL may run as another user, which needs access to the folder.
  await chmod(folder.path, 0o711)
  const [config, pidsFile] = [join(folder.path, 'vitest.config.mts'), join(folder.path, 'pids.json')]
  await writeFile(
    config,
    `export default {
       test: { root: '${import.meta.dirname}', include: ['endless-test.ts'], testTimeout: 600_000 },
     }`,
  )
  const run = spawn(process.execPath, [VITEST, 'run', '--config', config], {
    env: { ...process.env, TMPDIR: folder.path, PIDS_FILE: pidsFile, DATABASE_URL: database.url },
    stdio: 'ignore',
    detached: true,
  })
  using ending = new DisposableStack()
  ending.defer(killGroupWithParent(run))

  const pids = await vi.waitUntil(
    () =>
      readFile(pidsFile, 'utf8')
        .then(JSON.parse)
        .catch(() => undefined),
    POLLING,
  )
  const { server, postgres } = pids as { server: number; postgres: number }
  await vi.waitUntil(async () => (await listGroupMembers(server)).length > 0, POLLING)
  const started = [...(await listGroupMembers(server)), ...(await listParentAndChildren(postgres))]
  expect(started.length).toBeGreaterThan(2)
  run.kill('SIGKILL')
  const isLeft = async () => (await listProcesses()).some(({ pid }) => started.includes(pid))
  await vi.waitUntil(async () => !(await isLeft()), POLLING)
  await vi.waitUntil(() => !existsSync(join(folder.path, 'postgres')), POLLING)
})
