import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import cli from './apps/cli/vitest.config.ts'
import { coverageReporter } from './apps/contract-tests/repository/coverage-reporter.ts'
import contractTests from './apps/contract-tests/vitest.config.ts'
import docs from './apps/docs/vitest.config.ts'
import release from './apps/release/vitest.config.ts'
import serverSuite from './apps/server/vitest.config.ts'

// Many workers load the server. With shared compiled code, a load takes a tenth less processor time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

type Project = TestProjectInlineConfiguration & { root: string; test: object }

const projectsOf = (root: string, { test }: ViteUserConfig) =>
  test!.projects!.map((project) => ({ ...(project as TestProjectInlineConfiguration), root }) as Project)

/** One project with the files of all of these. Its other options are those of the first. */
function merge(first: Project, ...others: Project[]) {
  const pathsOf = (option: 'include' | 'exclude' | 'globalSetup') =>
    [first, ...others].flatMap(({ root, test }) =>
      [test[option] ?? []].flat().map((path) => join(root, path)),
    )
  const paths = { include: pathsOf('include'), exclude: pathsOf('exclude') }
  return { root: '.', test: { ...first.test, ...paths, globalSetup: pathsOf('globalSetup') } }
}

/** These projects run together, after those of the group before. */
const inGroup = (groupOrder: number, maxWorkers: number, ...projects: Project[]): Project[] =>
  projects.map((project) => ({
    ...project,
    test: { ...project.test, maxWorkers, sequence: { groupOrder } },
  }))

const [server, isolated] = projectsOf('apps/server', serverSuite) as [Project, Project]
const [repository, embedded, postgres] = projectsOf('apps/contract-tests', contractTests) as [
  Project,
  Project,
  Project,
]
const parts = [
  ...projectsOf('apps/cli', cli),
  ...projectsOf('apps/docs', docs),
  ...projectsOf('apps/release', release),
]

const tools = merge(server, repository, ...parts)
/**
 * `npm run test:slow` runs these, and the embedded database, after `npm test`: they start many processes, check many
 * copies of the spec, or wait for what takes seconds. None is the test of a guarantee of `SECURITY.md`.
 */
const SLOW = [
  'apps/cli/test/complete-restore.test.ts',
  'apps/cli/test/long-commands.test.ts',
  'apps/contract-tests/repository/client-package.test.ts',
  'apps/contract-tests/repository/compatibility-*.test.ts',
  'apps/contract-tests/repository/coverage-reporter.test.ts',
  'apps/contract-tests/repository/generate.test.ts',
  'apps/contract-tests/repository/patterns.test.ts',
  'apps/contract-tests/repository/spec-lint.test.ts',
  'apps/server/test/audit/audit-partitions.test.ts',
  'apps/server/test/database/full-disk.test.ts',
  'apps/server/test/database/list-plans.test.ts',
  'apps/server/test/database/query-plans.test.ts',
  'apps/server/test/database/reclaim-space.test.ts',
  'apps/server/test/metrics/otlp.test.ts',
  'apps/server/test/process/startup-settings.test.ts',
  'apps/server/test/secrets/keys-command.test.ts',
]

/**
 * Every suite of a command is in one run, so that one PostgreSQL serves all of them and no core is idle between two
 * suites. Each project has workers of its own, which take a second to start, so there are few projects.
 */
export default defineConfig({
  test: {
    reporters: ['default', coverageReporter()],
    projects: [
      // The embedded database computes in the worker, so more workers than cores would only cost time.
      ...inGroup(0, 2, embedded, isolated),
      // The tests over PostgreSQL wait much for processes and sockets.
      ...inGroup(
        1,
        4,
        postgres,
        {
          ...tools,
          test: { ...tools.test, name: 'server and tools', exclude: [...tools.test.exclude, ...SLOW] },
        },
        { ...tools, test: { ...tools.test, name: 'slow', include: SLOW } },
      ),
    ],
  },
})
