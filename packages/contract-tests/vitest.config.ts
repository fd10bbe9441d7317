import { defineConfig } from 'vitest/config'

const engine = (kind: 'embedded' | 'postgres') => ({
  extends: true as const,
  test: { name: kind, globalSetup: `src/harness/prepare-${kind}.ts` },
})

// The whole suite runs twice: over the embedded database and over real PostgreSQL, with no difference in any answer.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [engine('embedded'), engine('postgres')],
  },
})
