import { defineConfig } from 'vitest/config'

/** The site is not built here: this tests what its pages are made from. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'docs',
          include: ['test/**/*.test.ts'],
          isolate: false,
          // Node loads the server itself, which takes a worker less processor time than Vite.
          server: { deps: { external: [/\/apps\/server\/src\/.*\.ts$/] } },
          testTimeout: 120_000,
        },
      },
    ],
  },
})
