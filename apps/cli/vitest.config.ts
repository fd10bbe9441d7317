import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/prepare-service.ts',
    // One process runs all files: the program is loaded once.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
