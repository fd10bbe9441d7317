import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { documentedFacts } from '../src/contract-check/promises.ts'
import { whatToDo } from './what-to-do.ts'

export type Suite = { folder: string; promised: string[] }
const CONTRACT: Suite = {
  folder: join(import.meta.dirname, '../src'),
  promised: documentedFacts(),
}

/**
 * Fails a run of the whole suite when its checked traffic lacks something that the documents promise, such as
 * a status or an error code of an operation, or when any test did not run.
 */
export function coverageReporter(options: Partial<Suite> = {}): Reporter {
  const suite = { ...CONTRACT, ...options }
  let vitest: Vitest
  return {
    onInit: (starting) => void (vitest = starting),
    onTestRunEnd(modules) {
      if (vitest.config.testNamePattern || !isWhole(modules, suite)) return
      const { missing, notRun } = coverageOf(modules, suite)
      const lines = [
        ...notRun.map(
          ({ file, count }) => `Tests that did not run: ${count} of ${relative(vitest.config.root, file)}`,
        ),
        ...missing.map((fact) => `Promised, and not seen: ${fact}. ${whatToDo(fact)}`),
        `Promised by the documents: ${suite.promised.length}. Not seen: ${missing.length}.`,
      ]
      process.stdout.write(`\n${lines.map((line) => ` ${line}\n`).join('')}`)
      if (missing.length + notRun.length > 0) process.exitCode = 1
    },
  }
}

/** `modules` are the test files of a run, with the facts that `setup.ts` has stored in each. */
export function coverageOf(modules: readonly TestModule[], { promised }: Suite) {
  const seen = new Set(modules.flatMap((module) => module.meta().facts ?? []))
  const notRunOf = (module: TestModule) =>
    [...module.children.allTests()].filter((test) => !['passed', 'failed'].includes(test.result().state))
  return {
    missing: promised.filter((fact) => !seen.has(fact)),
    notRun: modules
      .map((module) => ({ file: module.moduleId, count: notRunOf(module).length }))
      .filter(({ count }) => count > 0),
  }
}

/** A run need not contain the files named `*.slow.test.ts`. */
export function isWhole(modules: readonly TestModule[], { folder }: Suite): boolean {
  const ran = new Set(modules.map(({ moduleId }) => moduleId))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('.slow.test.ts'))
    .every((path) => ran.has(join(folder, path)))
}
