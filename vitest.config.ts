import { join, relative } from 'node:path'
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

/** Two projects: the slow files, named from the root, and the others. */
const divide = (name: string, slowName: string, project: Project, slow: string[]): Project[] => {
  const include = slow.map((path) => relative(project.root, path))
  const exclude = [project.test.exclude ?? []].flat().concat(include)
  return [
    { ...project, test: { ...project.test, name, exclude } },
    { ...project, test: { ...project.test, name: slowName, include } },
  ]
}

/**
 * `npm run test:slow` runs these, and the embedded database: the fifth of the files that takes more than half of the time.
 * They start many processes, wait for what takes seconds, or try many values. The other contract tests see all that the
 * documents promise.
 */
const SLOW_TOOLS = [
  'apps/cli/test/archive-audit.test.ts',
  'apps/cli/test/complete-restore.test.ts',
  'apps/cli/test/export-audit.test.ts',
  'apps/cli/test/login.test.ts',
  'apps/cli/test/long-commands.test.ts',
  'apps/cli/test/lost-responses.test.ts',
  'apps/contract-tests/repository/client-package.test.ts',
  'apps/contract-tests/repository/compatibility-*.test.ts',
  'apps/contract-tests/repository/coverage-reporter.test.ts',
  'apps/contract-tests/repository/generate.test.ts',
  'apps/contract-tests/repository/patterns.test.ts',
  'apps/contract-tests/repository/spec-lint.test.ts',
  'apps/server/test/audit/archive-audit.test.ts',
  'apps/server/test/audit/audit-partitions.test.ts',
  'apps/server/test/audit/checkpoint-log.test.ts',
  'apps/server/test/authentication/key-set.test.ts',
  'apps/server/test/authorizations/expiry-behind-lock.test.ts',
  'apps/server/test/authorizations/record-partitions.test.ts',
  'apps/server/test/citizens/citizen-row-lock.test.ts',
  'apps/server/test/concurrency/interleaved-transitions.test.ts',
  'apps/server/test/database/abandoned-transaction.test.ts',
  'apps/server/test/database/cells.test.ts',
  'apps/server/test/database/fitness.test.ts',
  'apps/server/test/database/full-disk.test.ts',
  'apps/server/test/database/list-plans.test.ts',
  'apps/server/test/database/migrate.test.ts',
  'apps/server/test/database/query-plans.test.ts',
  'apps/server/test/database/reclaim-space.test.ts',
  'apps/server/test/doctor/support-bundle.test.ts',
  'apps/server/test/http/load/fair-share.test.ts',
  'apps/server/test/http/load/overload.test.ts',
  'apps/server/test/http/pages/anonymous-routes.test.ts',
  'apps/server/test/http/pipeline/unusual-requests.test.ts',
  'apps/server/test/http/pipeline/validator-pitfalls-of-documents.test.ts',
  'apps/server/test/http/process/drain.test.ts',
  'apps/server/test/keys/bind-keys.test.ts',
  'apps/server/test/keys/remove-key.test.ts',
  'apps/server/test/metrics/otlp.test.ts',
  'apps/server/test/oidc/fetch-keys.test.ts',
  'apps/server/test/process/lifecycle.test.ts',
  'apps/server/test/process/log-privacy.test.ts',
  'apps/server/test/process/startup-settings.test.ts',
  'apps/server/test/secrets/keys-command.test.ts',
  'apps/server/test/webhooks/delivery-pool.test.ts',
  'apps/server/test/webhooks/faulty-endpoints.test.ts',
]
const SLOW_CONTRACT = [
  'apps/contract-tests/src/client/lost-connections.test.ts',
  'apps/contract-tests/src/client/stopped-bodies.test.ts',
  'apps/contract-tests/src/client/tiwala-cli.test.ts',
  'apps/contract-tests/src/client/tiwala-listen.test.ts',
  'apps/contract-tests/src/client/wait-for-acceptance.test.ts',
  'apps/contract-tests/src/concurrency/single-use.test.ts',
  'apps/contract-tests/src/concurrency/transition-races.test.ts',
  'apps/contract-tests/src/concurrency/waiting-inquiries.test.ts',
  'apps/contract-tests/src/console/sessions.test.ts',
  'apps/contract-tests/src/fuzz/fuzzing.test.ts',
  'apps/contract-tests/src/http/audited-operations.test.ts',
  'apps/contract-tests/src/http/indistinguishable-refusals.test.ts',
  'apps/contract-tests/src/http/limits.test.ts',
  'apps/contract-tests/src/http/out-of-range.test.ts',
  'apps/contract-tests/src/http/pages.test.ts',
  'apps/contract-tests/src/http/query-characters.test.ts',
  'apps/contract-tests/src/http/tolerated-requests.test.ts',
  'apps/contract-tests/src/http/traces.both-engines.test.ts',
  'apps/contract-tests/src/http/unreadable-requests.test.ts',
  'apps/contract-tests/src/operations/anomalies.test.ts',
  'apps/contract-tests/src/operations/fleet.test.ts',
  'apps/contract-tests/src/operations/inquire-waiting-limits.test.ts',
  'apps/contract-tests/src/operations/list-audit-keys.test.ts',
  'apps/contract-tests/src/operations/list-use.both-engines.test.ts',
  'apps/contract-tests/src/operations/read-diagnosis-codes.test.ts',
  'apps/contract-tests/src/operations/read-diagnosis.test.ts',
  'apps/contract-tests/src/operations/replay-change.test.ts',
  'apps/contract-tests/src/operations/request-authorization-limits.test.ts',
  'apps/contract-tests/src/operations/rewrap-keys.test.ts',
  'apps/contract-tests/src/operations/verify-audit-tampering.test.ts',
  'apps/contract-tests/src/sandbox/bootstrap.test.ts',
  'apps/contract-tests/src/sandbox/sandbox-crossing.test.ts',
  'apps/contract-tests/src/sandbox/sandbox-limits.test.ts',
  'apps/contract-tests/src/sign-in/assurance.test.ts',
  'apps/contract-tests/src/sign-in/conformance-fapi2.test.ts',
  'apps/contract-tests/src/sign-in/conformance-oidcc.test.ts',
  'apps/contract-tests/src/sign-in/key-rotation.test.ts',
  'apps/contract-tests/src/sign-in/protocol.test.ts',
  'apps/contract-tests/src/sign-in/refusals.test.ts',
  'apps/contract-tests/src/sign-in/several-processes.test.ts',
  'apps/contract-tests/src/workbench/figures.both-engines.test.ts',
  'apps/contract-tests/src/workbench/going-live.both-engines.test.ts',
  'apps/contract-tests/src/workbench/identity-provider.test.ts',
  'apps/contract-tests/src/workbench/tokens.test.ts',
]

/**
 * Every suite of a command is in one run, so that one PostgreSQL serves all of them and no core is idle between two
 * suites. Each project has workers of its own, which take a second to start, so there are few projects.
 */
export default defineConfig({
  test: {
    reporters: ['default', coverageReporter({ leftOut: SLOW_CONTRACT })],
    projects: [
      // The embedded database computes in the worker, so more workers than cores would only cost time.
      ...inGroup(0, 2, embedded, isolated),
      // The tests over PostgreSQL wait much for processes and sockets.
      ...inGroup(
        1,
        4,
        ...divide('postgres', 'slow postgres', postgres, SLOW_CONTRACT),
        ...divide('server and tools', 'slow', tools, SLOW_TOOLS),
      ),
    ],
  },
})
