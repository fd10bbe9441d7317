import { defineConfig } from 'vitest/config'
import { coverageReporter } from './repository/coverage-reporter.ts'

// One process runs many files, so that it loads the server once and shares one test service. The time limits
// only end tests that hang.
const COMMON = {
  isolate: false,
  // Node loads these files itself, which takes a worker less processor time than Vite.
  server: { deps: { external: [/\/(apps\/server|packages\/(contract|transport))\/src\/.*\.ts$/] } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}

const engine = (kind: 'embedded' | 'postgres', include: string) => ({
  test: {
    ...COMMON,
    name: kind,
    include: [include],
    globalSetup: `src/kit/prepare-${kind}.ts`,
    setupFiles: 'src/contract-check/setup.ts',
  },
})

/**
 * Files with `.both-engines` in their name run over PostgreSQL and over the embedded database, with the same
 * assertions. All other test files run over PostgreSQL only: they test what the server decides before it
 * reads the database, or rules that do not depend on the engine, or they need many connections. The embedded
 * database is slow, so only the files that need it have the suffix.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    reporters: ['default', coverageReporter()],
    projects: [
      { test: { ...COMMON, name: 'repository', include: ['repository/**/*.test.ts'] } },
      engine('embedded', 'src/**/*.both-engines{,.slow}.test.ts'),
      engine('postgres', 'src/**/*.test.ts'),
    ],
  },
})
