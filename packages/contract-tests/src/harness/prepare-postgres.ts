import { openTestPostgres } from '@tiwala/server/testing-postgres'
import type { TestProject } from 'vitest/node'

/** `TEST_DATABASE_URL`, or a PostgreSQL of our own that lives as long as the run. */
export default async function setup(project: TestProject) {
  const { url, stop } = await openTestPostgres(process.env['TEST_DATABASE_URL'])
  project.provide('engine', { kind: 'postgres', url })
  return stop
}
