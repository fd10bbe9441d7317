import { defineConfig } from 'vitest/config'
import { coverageReporter } from './repository/coverage-reporter.ts'

// One process runs many files, so that the server is loaded, and for most of them started, once. Time-outs only end what hangs.
const COMMON = { isolate: false, testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } }

const engine = (kind: 'embedded' | 'postgres', include: string) => ({
  test: { ...COMMON, name: kind, include: [include], globalSetup: `src/harness/prepare-${kind}.ts` },
})

/**
 * The tests of `src` run twice: over the embedded database and over PostgreSQL, with the same answers. Only over PostgreSQL run the tests
 * of what the server decides before it asks a database (`src/door`), of rules that both databases judge by the same statement
 * (`src/rules`), and those that need many connections (`src/crowd`).
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    reporters: ['default', coverageReporter()],
    projects: [
      { test: { ...COMMON, name: 'repository', include: ['repository/**/*.test.ts'] } },
      engine('embedded', 'src/*.test.ts'),
      engine('postgres', 'src/**/*.test.ts'),
    ],
  },
})
