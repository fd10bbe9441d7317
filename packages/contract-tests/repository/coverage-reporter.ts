import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type OperationId, routes } from '@tiwala/contract'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { documentedStatuses } from '../src/kit/contract-check.ts'

const SUITE = join(import.meta.dirname, '../src')
const IDS = Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]

/** The statuses that the documents name, by operation. */
type Documented = Record<string, number[]>
const DOCUMENTED: Documented = Object.fromEntries(IDS.map((id) => [id, documentedStatuses(id)]))

/**
 * Fails a run of the whole suite when a documented status of an operation has no test `NNN: ...` under the
 * operation's name that passed, or when any test did not run.
 */
export function coverageReporter(suite = SUITE, documented = DOCUMENTED): Reporter {
  let vitest: Vitest
  return {
    onInit: (starting) => void (vitest = starting),
    onTestRunEnd(modules) {
      if (vitest.config.testNamePattern || !isWhole(modules, suite)) return
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const notRun = tests.filter((test) => !['passed', 'failed'].includes(test.result().state))
      const untested = untestedIn(tests, documented)
      if (notRun.length > 0) {
        const files = new Set(notRun.map(({ module }) => relative(vitest.config.root, module.moduleId)))
        process.stdout.write(
          `\n Tests that did not run: ${notRun.length}, in:\n   ${[...files].join('\n   ')}\n`,
        )
      }
      process.stdout.write(
        untested.length > 0
          ? `\n Documented, and without a test that passed:\n   ${untested.join('\n   ')}\n`
          : `\n Every documented status of ${Object.keys(documented).length} operations ` +
              'has a test that passed.\n',
      )
      if (notRun.length + untested.length > 0) process.exitCode = 1
    },
  }
}

function isWhole(modules: readonly TestModule[], suite: string): boolean {
  const ran = new Set(modules.map(({ moduleId }) => moduleId))
  const files = readdirSync(suite, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  )
  return files.every((path) => ran.has(join(suite, path)))
}

function untestedIn(tests: TestCase[], documented: Documented): string[] {
  const passed = tests
    .filter((test) => test.result().state === 'passed')
    .map(({ fullName }) => fullName.split(' > '))
  const isTested = (id: string, status: number) =>
    passed.some((names) => names.slice(0, -1).includes(id) && names.at(-1)!.startsWith(`${status}: `))
  return Object.entries(documented).flatMap(([id, statuses]) =>
    statuses.filter((status) => !isTested(id, status)).map((status) => `${id} ${status}`),
  )
}
