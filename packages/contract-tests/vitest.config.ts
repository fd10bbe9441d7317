import { defineConfig } from 'vitest/config'
import { coverageReporter } from './repository/coverage-reporter.ts'

/** One engine after the other: the embedded one works in the tests' own processes, PostgreSQL beside them, where much time is spent waiting. */
const engine = (kind: 'embedded' | 'postgres', include: string, groupOrder: number, maxWorkers: number) => ({
  extends: true as const,
  test: { name: kind, include: [include], globalSetup: `src/harness/prepare-${kind}.ts`, sequence: { groupOrder }, maxWorkers },
})

const repository = { extends: true as const, test: { name: 'repository', include: ['repository/**/*.test.ts'] } }

/**
 * The suite runs twice: over the embedded database and over real PostgreSQL, with no difference in any answer. Over PostgreSQL alone
 * runs what is judged before a database is asked (src/door), and what needs many connections (src/crowd).
 */
export default defineConfig({
  test: {
    // One process runs many files, so that the server is loaded, and for most of them started, once.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: ['default', coverageReporter()],
    projects: [repository, engine('embedded', 'src/*.test.ts', 1, 2), engine('postgres', 'src/**/*.test.ts', 2, 3)],
  },
})
