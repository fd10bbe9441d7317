import { defineConfig } from 'vitest/config'

/** The parts of the build. `npm run test:stress` builds a release, and runs it. */
export default defineConfig({
  test: {
    projects: [{ test: { name: 'release', include: ['test/**/*.test.ts'], testTimeout: 120_000 } }],
  },
})
