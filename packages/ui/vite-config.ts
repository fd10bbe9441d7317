/** How the pages are built. The server serves the `dist/` of a page at `base`. */
export const pageAt = (base: string) => ({
  base,
  oxc: { jsx: { runtime: 'automatic' as const, importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The packages whose code the page contains.
    license: { fileName: 'licenses.json' },
  },
})
