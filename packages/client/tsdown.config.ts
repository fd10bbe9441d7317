import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const CLI_PACKAGES = ['commander', 'jose', 'oauth4webapi', 'openapi-fetch', 'openid-client', 'yaml']

/** Their licenses ask that their texts go with the copies. */
const licenses = () => ({
  name: 'licenses',
  generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => void }) {
    const texts = CLI_PACKAGES.map((name) => {
      const folder = join(import.meta.dirname, '../../node_modules', name)
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))!
      return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    this.emitFile({ type: 'asset', fileName: 'tiwala.LICENSES.txt', source: texts.join('\n---\n\n') })
  },
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
  {
    ...COMMON,
    // From the sources of the administrators' program, which is built from another document.
    entry: { tiwala: '../../apps/cli/src/member/main.ts' },
    platform: 'node',
    format: 'esm',
    dts: false,
    // Most of its sources are other packages.
    sourcemap: false,
    outExtensions: () => ({ js: '.js' }),
    deps: { onlyBundle: CLI_PACKAGES },
    inputOptions: { resolve: { conditionNames: ['tiwala-member', 'node', 'import', 'default'] } },
    outputOptions: { codeSplitting: false },
    plugins: [licenses()],
  },
  types('.d.ts'),
  types('.d.cts'),
])
