import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/prepare-engines.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Much of the time is spent waiting for processes and sockets.
    maxWorkers: 2,
    // Some tests weigh the heap.
    execArgv: ['--expose-gc'],
  },
})
