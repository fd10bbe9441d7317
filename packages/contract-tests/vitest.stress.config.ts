import { defineConfig } from 'vitest/config'

/** The long forms, over PostgreSQL: `npm run test:stress`. One file after the other, since they measure. */
export default defineConfig({
  test: {
    name: 'stress',
    include: ['stress/**/*.test.ts'],
    globalSetup: 'src/kit/prepare-postgres.ts',
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
