import { defineConfig } from 'vitest/config'

/** `npm run test:ha`: the drills of high availability and backup, with programs from Debian packages. */
export default defineConfig({
  test: {
    name: 'high-availability',
    include: ['high-availability/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
