import { fileURLToPath } from 'node:url'
import type { TestEngine } from '@tiwala/server/testing'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine
    postgres: TestEngine & { kind: 'postgres' }
  }
}

/** The order in which `src/batch.ts` has numbered the files. */
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
  }
}

const setting = (name: string) => process.env[name] ?? ''
const url = setting('MUTANTS_DATABASE_URL')

/**
 * A batch: files that `src/batch.ts` has written, each of which runs one test file with one mutant. One
 * process runs all of them, so that it loads the service once.
 */
export default defineConfig({
  server: { watch: null },
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: [`${setting('MUTANTS_BATCH_FOLDER')}/*.test.ts`],
    maxWorkers: 1,
    isolate: false,
    sequence: { sequencer: ByName },
    server: {
      deps: {
        external: [
          /\/(apps\/server|packages\/(contract|transport))\/src\/.*\.ts$/,
          /\/mutants\/src\/hook\.ts$/,
        ],
      },
    },
    // Shorter than in `npm test`, because many mutants make a test wait until it is ended.
    testTimeout: 10_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 5_000 } },
    execArgv: ['--expose-gc'],
    provide: {
      engine: { kind: 'postgres', url, logFolder: setting('MUTANTS_LOG_FOLDER') },
      postgres: { kind: 'postgres', url },
    },
  },
})
