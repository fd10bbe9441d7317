import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openTestPostgres } from '../src/testing-postgres.ts'
import { prepareEmbedded, prepareFolder, type TestEngine } from '../src/testing.ts'

declare module 'vitest' {
  interface ProvidedContext {
    embedded: TestEngine & { kind: 'embedded' }
    postgres: TestEngine & { kind: 'postgres' }
    /** The data folder of a sandbox that has run before, to be copied. */
    dataFolder: string
  }
}

/** Once for the whole run: an image of a migrated embedded database, a folder of one, and a PostgreSQL (`TEST_DATABASE_URL`, or one of our own). */
export default async function setup(project: TestProject) {
  const { url, stop } = await openTestPostgres(process.env['TEST_DATABASE_URL'])
  project.provide('postgres', { kind: 'postgres', url })
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-template-'))
  const templateFile = join(folder, 'image.tar')
  await writeFile(templateFile, Buffer.from(await (await prepareEmbedded()).arrayBuffer()))
  project.provide('embedded', { kind: 'embedded', templateFile })
  const dataFolder = join(folder, 'data')
  await prepareFolder(dataFolder)
  project.provide('dataFolder', dataFolder)
  return async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}
