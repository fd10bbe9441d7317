import { defineConfig } from 'tsdown'

const CLASSES = { class: true, function: false }

// The bundle contains all dependencies, so that partners install one package.
export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: { oxc: true },
  // Small to load. The names of classes stay, because Node prints them with an error. The source map has the
  // rest.
  minify: { compress: { keepNames: CLASSES }, mangle: { keepNames: CLASSES } },
  sourcemap: true,
  deps: { onlyBundle: ['openapi-fetch'] },
  outExtensions: ({ format }) =>
    format === 'cjs' ? { js: '.cjs', dts: '.d.cts' } : { js: '.js', dts: '.d.ts' },
})
