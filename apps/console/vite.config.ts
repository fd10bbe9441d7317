import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { defineConfig } from 'vite'

type Operation = { operationId: string; security: [{ operatorToken: string[] }] }

/** The scopes of each operation. The whole document would be ten times the page. */
const SCOPES = Object.fromEntries(
  Object.values(operator.paths)
    .flatMap((item) => Object.values(item) as Operation[])
    .map(({ operationId, security: [{ operatorToken }] }) => [operationId, operatorToken]),
)

/** The server serves `dist/` at `/console/`. */
export default defineConfig({
  base: '/console/',
  define: { SCOPES: JSON.stringify(SCOPES) },
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
