import { defineConfig } from 'vitest/config'

/**
 * Each of these files has a process of its own: the pitfalls replace a part of the server with a broken one before it is loaded, and
 * `crowd` measures a heap, in which V8 would place objects by what earlier files did.
 */
const ISOLATED = ['test/validator-pitfalls*.test.ts', 'test/crowd.test.ts']
// Time-outs only end what hangs: on a busy machine a server may need half a minute to start. Some tests weigh the heap.
const COMMON = {
  globalSetup: 'test/prepare-postgres.ts',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  execArgv: ['--expose-gc'],
}

export default defineConfig({
  test: {
    // More than the cores of a small machine: much of the time is spent waiting for processes and sockets.
    maxWorkers: 3,
    projects: [
      // One process runs many files, so that the server is loaded once.
      { test: { ...COMMON, name: 'server', include: ['test/**/*.test.ts'], exclude: ISOLATED, isolate: false } },
      { test: { ...COMMON, name: 'isolated', include: ISOLATED } },
    ],
  },
})
