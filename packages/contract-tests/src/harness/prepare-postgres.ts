import { openTestPostgres } from '@tiwala/server/testing-postgres'
import type { TestProject } from 'vitest/node'
import { logFolder } from './log-folder.ts'

/** `TEST_DATABASE_URL`, or a PostgreSQL of our own that lives as long as the run. */
export default async function setup(project: TestProject) {
  const { url, stop } = await openTestPostgres(process.env['TEST_DATABASE_URL'])
  const logs = await logFolder()
  project.provide('engine', { kind: 'postgres', url, logFolder: logs.path })
  return async () => {
    await stop()
    await logs.search()
  }
}
