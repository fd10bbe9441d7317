import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { copyDatabase } from '../../src/testing/database.ts'
import { makeFastFolder } from '../../src/testing/fast-folder.ts'
import { type OwnPostgres, startPostgres } from '../../src/testing/postgres.ts'
import { TEMPLATE } from '../../src/testing/start-service.ts'

/** A folder for one test, removed afterwards. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await makeFastFolder('tiwala-test-')
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/**
 * A PostgreSQL database for one test, removed afterwards. It is migrated, unless another template is given.
 */
export async function temporaryDatabase(template = TEMPLATE) {
  const { url } = inject('postgres')
  const [name, folder] = [`tiwala_test_${randomUUID().replaceAll('-', '')}`, await temporaryFolder()]
  const admin = new pg.Client(url)
  await admin.connect()
  await copyDatabase(admin, template, name)
  const database = new URL(url)
  database.pathname = `/${name}`
  const drop = async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
    await folder[Symbol.asyncDispose]()
  }
  return {
    url: database.href,
    folder: folder.path,
    /** For a server process. */
    settings: { DATABASE_URL: database.href, TIWALA_DATA_DIR: folder.path },
    [Symbol.asyncDispose]: drop,
  }
}

/** A PostgreSQL server for one test, removed afterwards. The test may kill it. */
export async function temporaryPostgres(
  settings: Record<string, string>,
  bringData?: (dataFolder: string) => Promise<unknown>,
): Promise<AsyncDisposable & OwnPostgres> {
  const postgres = await startPostgres(await makeFastFolder('tiwala-postgres-'), settings, bringData)
  return { ...postgres, [Symbol.asyncDispose]: postgres.stop }
}
