import type { TestProject } from 'vitest/node'
import type { TestEngine } from '../src/testing/start-service.ts'
import { sharePostgres } from './kit/shared-engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestEngine & { kind: 'postgres' }
  }
}

export default async function setup(project: TestProject) {
  const { engine, release } = await sharePostgres()
  project.provide('postgres', engine)
  return release
}
