import { defineConfig } from 'vitest/config'

const engine = (kind: 'embedded' | 'postgres') => ({
  extends: true as const,
  test: { name: kind, include: ['src/**/*.test.ts'], globalSetup: `src/harness/prepare-${kind}.ts` },
})

const repository = { extends: true as const, test: { name: 'repository', include: ['repository/**/*.test.ts'] } }

// The repository itself is checked once; the suite runs twice: over the embedded database and over real PostgreSQL, with no difference in any answer.
export default defineConfig({
  test: {
    // One process runs many files, so that the server is loaded, and for most of them started, once.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [repository, engine('embedded'), engine('postgres')],
  },
})
