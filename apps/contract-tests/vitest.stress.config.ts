import { defineConfig } from 'vitest/config'

/**
 * The stress tests over PostgreSQL: `npm run test:stress`. The files run one after the other, because they
 * measure times.
 */
export default defineConfig({
  test: {
    name: 'stress',
    include: ['stress/**/*.test.ts'],
    globalSetup: 'src/kit/prepare-postgres.ts',
    setupFiles: 'src/contract-check/setup.ts',
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
