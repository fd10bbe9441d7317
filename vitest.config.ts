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
 * Two projects: the files named `*.slow.test.ts`, which `npm run test:slow` runs beside the embedded database, and the
 * others. The slow ones are the fifth of the files that takes more than half of the time: they start many processes, wait
 * for what takes seconds, or try many values. The other contract tests see all that the documents promise.
 */
const divide = (name: string, slowName: string, project: Project): Project[] => {
  const include = [project.test.include ?? []].flat()
  const exclude = [...[project.test.exclude ?? []].flat(), '**/*.slow.test.ts']
  return [
    { ...project, test: { ...project.test, name, exclude } },
    {
      ...project,
      test: {
        ...project.test,
        name: slowName,
        include: include.map((path) => path.replace('*.test.ts', '*.slow.test.ts')),
      },
    },
  ]
}

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
        ...divide('postgres', 'slow postgres', postgres),
        ...divide('server and tools', 'slow', tools),
      ),
    ],
  },
})
