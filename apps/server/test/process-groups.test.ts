// No process that a test starts outlives it, also when the run of the tests is killed.
import { execFile, spawn } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { ownGroup } from '../src/testing-group.ts'
import { startProcess } from './server-process.ts'
import { temporaryDatabase, temporaryFolder } from './temporary.ts'

const VITEST = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')))
const PATIENCE = { timeout: 60_000, interval: 50 }
const PROCESSES = 2
/** The first process of several, and those that it starts. */
const GROUP_SIZE = 1 + PROCESSES

/** Of every process: its own id, its parent's and its group's. One that has ended and waits for its parent does not count. */
async function processes(): Promise<{ pid: number; parent: number; group: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='])
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return rows
    .filter(([, , , state]) => !state!.startsWith('Z'))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }))
}
const membersOf = async (leader: number) => (await processes()).filter(({ group }) => group === leader).map(({ pid }) => pid)
const familyOf = async (head: number) =>
  (await processes()).filter(({ pid, parent }) => pid === head || parent === head).map(({ pid }) => pid)

test('at the end of a test its server ends with every process that the server has started', async () => {
  await using database = await temporaryDatabase()
  const settings = { DATABASE_URL: database.url, TIWALA_DATA_DIR: database.folder, TIWALA_PROCESSES: String(PROCESSES) }
  const server = await startProcess(settings)
  await vi.waitUntil(async () => (await membersOf(server.pid)).length === GROUP_SIZE, PATIENCE)
  // A worker that hangs does not notice that the first process has ended.
  for (const pid of await membersOf(server.pid)) if (pid !== server.pid) process.kill(pid, 'SIGSTOP')
  await server[Symbol.asyncDispose]()
  expect(await membersOf(server.pid)).toEqual([])
})

test('a run that is killed leaves no process: neither its servers nor its PostgreSQL', async () => {
  await using database = await temporaryDatabase()
  await using folder = await temporaryFolder()
  // PostgreSQL may run as another user.
  await chmod(folder.path, 0o711)
  const [config, pidsFile] = [join(folder.path, 'vitest.config.mts'), join(folder.path, 'pids.json')]
  await writeFile(config, `export default { test: { root: '${import.meta.dirname}', include: ['abandoned.ts'], testTimeout: 600_000 } }`)
  const run = spawn(process.execPath, [VITEST, 'run', '--config', config], {
    env: { ...process.env, TMPDIR: folder.path, PIDS_FILE: pidsFile, DATABASE_URL: database.url },
    stdio: 'ignore',
    detached: true,
  })
  using ending = new DisposableStack()
  ending.defer(ownGroup(run))

  const pids = await vi.waitUntil(() => readFile(pidsFile, 'utf8').then(JSON.parse, () => undefined), PATIENCE)
  const { server, postgres } = pids as { server: number; postgres: number }
  await vi.waitUntil(async () => (await membersOf(server)).length === GROUP_SIZE, PATIENCE)
  const started = [...(await membersOf(server)), ...(await familyOf(postgres))]
  expect(started.length).toBeGreaterThan(GROUP_SIZE + 1)
  run.kill('SIGKILL')
  const isLeft = async () => (await processes()).some(({ pid }) => started.includes(pid))
  await vi.waitUntil(async () => !(await isLeft()), PATIENCE)
})
