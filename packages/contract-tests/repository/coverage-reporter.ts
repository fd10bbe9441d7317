import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type OperationId, routes } from '@tiwala/contract'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { documentedStatuses } from '../src/harness/contract-check.ts'

const SUITE = join(import.meta.dirname, '../src')
const IDS = Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]

/** Fails a run of the whole suite in which a documented status of an operation has no test `NNN: ...` under its name, by the runner's own list. */
export function coverageReporter(): Reporter {
  let vitest: Vitest
  return {
    onInit: (starting) => void (vitest = starting),
    onTestRunEnd(modules) {
      if (vitest.config.testNamePattern ?? !isWhole(modules)) return
      const untested = untestedIn(modules)
      if (untested.length > 0) process.exitCode = 1
      process.stdout.write(
        untested.length > 0
          ? `\n Documented, and without a test:\n   ${untested.join('\n   ')}\n`
          : `\n Every documented status of ${IDS.length} operations has its test.\n`,
      )
    },
  }
}

function isWhole(modules: readonly TestModule[]): boolean {
  const ran = new Set(modules.map(({ moduleId }) => moduleId))
  const files = readdirSync(SUITE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'))
  return files.every((path) => ran.has(join(SUITE, path)))
}

function untestedIn(modules: readonly TestModule[]): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()]).map(({ fullName }) => fullName.split(' > '))
  const isTested = (id: OperationId, status: number) =>
    tests.some((names) => names.slice(0, -1).includes(id) && names.at(-1)!.startsWith(`${status}: `))
  return IDS.flatMap((id) =>
    documentedStatuses(id)
      .filter((status) => !isTested(id, status))
      .map((status) => `${id} ${status}`),
  )
}
