import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { ROOT } from './contents.ts'

/** The programs of a release. Each is plain JavaScript first, so that an older Node can say what it needs. */
const PROGRAMS = {
  server: join(ROOT, 'apps/server/main.js'),
  tiwala: join(ROOT, 'apps/cli/tiwala.js'),
  keys: join(ROOT, 'apps/server/keys.js'),
}

/** Optional, and not needed: `pg` loads it only if the program asks for it. */
const NOT_BUNDLED = ['pg-native']

/** The settings of a release refuse a start without PostgreSQL, so nothing uses this file. */
const leaveOutEmbeddedDatabase: Plugin = {
  name: 'leave-out-embedded-database',
  load: { filter: { id: /\/database\/embedded\.ts$/ }, handler: () => 'export {}' },
}

/**
 * The programs with all their dependencies, as ES modules by name. `licenses.json` lists the packages that
 * are in them.
 */
export async function bundle(): Promise<Map<string, Buffer>> {
  const { output } = (await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    define: { RELEASE: 'true' },
    plugins: [leaveOutEmbeddedDatabase],
    // The packages' files that Node itself would load.
    resolve: { mainFields: ['main'] },
    ssr: { noExternal: true, external: NOT_BUNDLED, resolve: { conditions: ['node'] } },
    build: {
      ssr: true,
      write: false,
      target: 'node24',
      minify: false,
      license: { fileName: 'licenses.json' },
      rolldownOptions: {
        // Comments name the modules by their paths from here.
        cwd: ROOT,
        input: PROGRAMS,
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        checks: { commonJsVariableInEsm: false },
      },
    },
  })) as Rolldown.RolldownOutput
  return new Map(
    output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  )
}
