import type { TestProject } from 'vitest/node'
import type { TestEngine } from '../src/testing.ts'
import { shareEmbedded, sharePostgres } from './engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    embedded: TestEngine & { kind: 'embedded' }
    postgres: TestEngine & { kind: 'postgres' }
  }
}

export default async function setup(project: TestProject) {
  const [postgres, embedded] = await Promise.all([sharePostgres(), shareEmbedded()])
  project.provide('postgres', postgres.engine)
  project.provide('embedded', embedded.engine)
  return () => Promise.all([postgres.release(), embedded.release()])
}
