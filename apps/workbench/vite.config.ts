import { defineConfig } from 'vite'

/** The server serves `dist/` at `/workbench/`. */
export default defineConfig({
  base: '/workbench/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The packages whose code the page contains.
    license: { fileName: 'licenses.json' },
  },
})
