import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import cli from './apps/cli/vitest.config.ts'
import docs from './apps/docs/vitest.config.ts'
import release from './apps/release/vitest.config.ts'
import server from './apps/server/vitest.config.ts'
import { coverageReporter } from './packages/contract-tests/repository/coverage-reporter.ts'
import contractTests from './packages/contract-tests/vitest.config.ts'
import mutants from './packages/mutants/vitest.config.ts'

// Many workers load the server. With shared compiled code, a load takes a tenth less processor time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

const within = (root: string, { test }: ViteUserConfig) =>
  (test!.projects as TestProjectInlineConfiguration[]).map((project) => ({ ...project, root }))

/**
 * `npm test`: every suite in one run, so that one PostgreSQL serves all of them and no core is idle between
 * two suites.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    globalSetup: 'apps/server/test/prepare-engines.ts',
    reporters: ['default', coverageReporter()],
    projects: [
      ...within('packages/contract-tests', contractTests),
      ...within('apps/server', server),
      ...within('apps/cli', cli),
      ...within('apps/docs', docs),
      ...within('packages/mutants', mutants),
      ...within('apps/release', release),
    ],
  },
})
