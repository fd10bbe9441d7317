import { defineConfig } from 'vitest/config'

/** `npm run test:browser`: the tests in Chromium. */
export default defineConfig({
  test: {
    name: 'browser',
    include: [
      'kit/**/*.test.ts',
      'docs/**/*.test.ts',
      'own-pages/**/*.test.ts',
      'sandbox/**/*.test.ts',
      'workbench/**/*.test.ts',
      'console/**/*.test.ts',
    ],
    globalSetup: 'kit/prepare-browser.ts',
    // One process loads the server once. On two cores, the browser needs the other one.
    isolate: false,
    maxWorkers: 1,
    server: { deps: { external: [/\/(apps\/server|packages\/(contract|transport))\/src\/.*\.ts$/] } },
    // Other work of the machine can hold up a browser for long. These limits only end tests that hang.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 90_000 } },
  },
})
