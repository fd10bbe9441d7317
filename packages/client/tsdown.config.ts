import { defineConfig } from 'tsdown'

// Everything is bundled: partners install one package without dependencies.
export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: { oxc: true },
  deps: { onlyBundle: ['openapi-fetch'] },
  outExtensions: ({ format }) => (format === 'cjs' ? { js: '.cjs', dts: '.d.cts' } : { js: '.js', dts: '.d.ts' }),
})
