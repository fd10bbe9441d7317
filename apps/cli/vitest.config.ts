import { defineConfig } from 'vitest/config'

const cli = {
  name: 'cli',
  include: ['test/**/*.test.ts'],
  globalSetup: 'test/prepare-service.ts',
  // One process runs many files, so that it loads the program only once.
  isolate: false,
  // The timeouts only end a test that hangs.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({ test: { maxWorkers: 3, projects: [{ test: cli }] } })
