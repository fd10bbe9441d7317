import { defineConfig } from 'vitest/config'

/**
 * Each of these files runs in its own process, since it measures the heap. Earlier files would change where
 * V8 places objects.
 */
const ISOLATED = [
  'test/http/pipeline/validator-pitfalls-of-bodies.test.ts',
  'test/http/process/completed-requests.test.ts',
]
// The timeouts only end tests that hang: on a busy machine, a server may need 30 seconds to start.
// `--expose-gc`: some tests measure the heap.
const COMMON = {
  globalSetup: 'test/prepare-postgres.ts',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  execArgv: ['--expose-gc'],
  // Node loads these files itself, which takes a worker less processor time than Vite.
  server: {
    deps: {
      external: [
        /\/(apps\/server|packages\/(contract|transport))\/src\/.*\.ts$/,
        /\/apps\/release\/[\w-]+\.ts$/,
      ],
    },
  },
}

export default defineConfig({
  test: {
    // More workers than the cores of a small machine: the tests wait much for processes and sockets.
    maxWorkers: 3,
    projects: [
      // One process runs many files, so that it loads the server once.
      {
        test: {
          ...COMMON,
          name: 'server',
          include: ['test/**/*.test.ts'],
          exclude: ISOLATED,
          isolate: false,
        },
      },
      { test: { ...COMMON, name: 'isolated', include: ISOLATED } },
    ],
  },
})
