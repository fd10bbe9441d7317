import { defineConfig, type UserConfig } from 'tsdown'

// The bundle contains all dependencies, so that partners install one package. It is not minified, so that a stack
// in a partner's log can be read without a source map, and the code can be reviewed.
const COMMON: UserConfig = {
  entry: 'src/index.ts',
  platform: 'neutral',
  target: 'es2022',
  clean: false,
  deps: { onlyBundle: ['openapi-fetch'] },
}

/** Passes of their own, because a pass with source maps names one of the types, which it does not write. */
const types = (dts: string): UserConfig => ({
  ...COMMON,
  dts: { oxc: true, emitDtsOnly: true },
  sourcemap: false,
  outExtensions: () => ({ dts }),
})

export default defineConfig([
  {
    ...COMMON,
    format: ['esm', 'cjs'],
    dts: false,
    sourcemap: true,
    outExtensions: ({ format }) => ({ js: format === 'cjs' ? '.cjs' : '.js' }),
  },
  {
    ...COMMON,
    entry: { 'tiwala-listen': 'src/listen/main.ts' },
    platform: 'node',
    format: 'esm',
    dts: false,
    sourcemap: true,
    outExtensions: () => ({ js: '.js' }),
  },
  types('.d.ts'),
  types('.d.cts'),
])
