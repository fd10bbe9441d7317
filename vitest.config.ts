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
function merge(name: string, first: Project, ...others: Project[]): Project {
  const pathsOf = (option: 'include' | 'exclude' | 'globalSetup') =>
    [first, ...others].flatMap(({ root, test }) =>
      [test[option] ?? []].flat().map((path) => join(root, path)),
    )
  const paths = { include: pathsOf('include'), exclude: pathsOf('exclude') }
  return {
    root: '.',
    test: { ...first.test, name, ...paths, globalSetup: pathsOf('globalSetup') },
  }
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

/**
 * `npm test`: every suite in one run, so that one PostgreSQL serves all of them and no core is idle between
 * two suites. Each project has workers of its own, which take a second to start, so there are few projects.
 */
export default defineConfig({
  test: {
    reporters: ['default', coverageReporter()],
    projects: [
      // The embedded database computes in the worker, so more workers than cores would only cost time.
      ...inGroup(0, 2, embedded, isolated),
      // The tests over PostgreSQL wait much for processes and sockets.
      ...inGroup(1, 4, postgres, merge('server and tools', server, repository, ...parts)),
    ],
  },
})
