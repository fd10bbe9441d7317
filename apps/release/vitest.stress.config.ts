import { defineConfig } from 'vitest/config'

/** The stress tests of the release: `npm run test:stress`. */
export default defineConfig({
  test: {
    name: 'stress',
    include: ['stress/**/*.test.ts'],
    globalSetup: '../server/test/prepare-postgres.ts',
    fileParallelism: false,
    // A build takes minutes on a busy machine.
    testTimeout: 3_600_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
