import { defineConfig } from 'vitest/config'

const cli = {
  name: 'cli',
  include: ['test/**/*.test.ts'],
  globalSetup: 'test/prepare-service.ts',
  // One process runs many files: the program is loaded once.
  isolate: false,
  // Time-outs only end what hangs.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({ test: { maxWorkers: 3, projects: [{ test: cli }] } })
