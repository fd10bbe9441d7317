import { defineConfig } from 'tsdown'

// The bundle contains all dependencies, so that partners install one package.
export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: { oxc: true },
  // Small to load. The source map has the source, for debuggers and stack traces.
  minify: true,
  sourcemap: true,
  deps: { onlyBundle: ['openapi-fetch'] },
  outExtensions: ({ format }) =>
    format === 'cjs' ? { js: '.cjs', dts: '.d.cts' } : { js: '.js', dts: '.d.ts' },
})
