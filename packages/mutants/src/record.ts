// Which test executes which statement, and what a test file costs.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readLines, runBatch } from './batch.ts'
import { codeMutants } from './code.ts'
import { hashOf } from './hash.ts'
import type { Execution } from './hook.ts'
import { CACHE, isOfCode, ROOT } from './places.ts'

const TESTS = ['packages/contract-tests/src/**/*.test.ts', 'apps/server/test/**/*.test.ts']
/** These replace modules of the service, or test programs around it. */
const EXCLUDED_TESTS =
  /validator-pitfalls|in-flight-requests|\/process\/|\/doctor\/|src\/client\/|src\/examples\//

const RECORDS = join(CACHE, 'records.json')

/** `version`: of the test file and of the SQL. `tests`: those that execute a statement, by its hash. */
type TestFileRecord = { version: string; cpuMs: number; tests: Record<string, string[]> }
export type Records = {
  statements: Record<string, { text: string; site: string }>
  testFiles: Record<string, TestFileRecord>
}

/** `undefined`: the file does not exist any more. */
export function hashOfFile(path: string): string | undefined {
  const file = join(ROOT, path)
  return existsSync(file) ? hashOf(readFileSync(file, 'utf8')) : undefined
}

const sources = globSync(['apps/server/src/**/*.ts', 'apps/server/migrations/*.sql'], { cwd: ROOT })
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .filter((text) => /\bsql`|\bcreate table\b/.test(text))
const MUTATED = isOfCode
  ? codeMutants()
      .map(({ id }) => id)
      .join(' ')
  : hashOf(sources.toSorted().join('\n'))

/** A test file is recorded again if it, or what is mutated, has changed. */
export const versionOf = (path: string): string => hashOf(`${hashOfFile(path)} ${MUTATED}`)

export const listTestFiles = (): string[] =>
  TESTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((path) => !EXCLUDED_TESTS.test(path))

/** Leaves out test files that no longer exist, and the statements that only they have executed. */
export function readRecords(): Records {
  if (!existsSync(RECORDS)) return { statements: {}, testFiles: {} }
  const stored = JSON.parse(readFileSync(RECORDS, 'utf8')) as Records
  const paths = new Set(listTestFiles())
  const testFiles = Object.fromEntries(Object.entries(stored.testFiles).filter(([path]) => paths.has(path)))
  const executed = new Set(Object.values(testFiles).flatMap(({ tests }) => Object.keys(tests)))
  const statements = Object.fromEntries(
    Object.entries(stored.statements).filter(([hash]) => executed.has(hash)),
  )
  return { statements, testFiles }
}

/** Runs the test files without a mutant, and stores what they execute. */
export async function record(worker: string, url: string, paths: string[]): Promise<void> {
  const recordFile = join(CACHE, `${worker}.executions.jsonl`)
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(recordFile, '')
  const jobs = paths.map((path, number) => ({ mutant: '', number, testFile: join(ROOT, path), recordFile }))
  const outcomes = await runBatch(worker, url, jobs)
  const executions = readLines<Execution>(recordFile)
  const { statements, testFiles } = readRecords()
  for (const { text, site } of executions) statements[hashOf(text)] = { text, site }
  for (const { testFile, state, cpuMs = 0, test, message } of outcomes) {
    const path = relative(ROOT, testFile)
    if (state === 'failed') process.stdout.write(`Fails without a mutant: ${path}: ${test}: ${message}\n`)
    if (state !== 'passed') continue
    const tests: Record<string, string[]> = {}
    for (const execution of executions.filter((each) => each.testFile === testFile))
      (tests[hashOf(execution.text)] ??= []).push(execution.test)
    testFiles[path] = { version: versionOf(path), cpuMs, tests }
  }
  writeFileSync(RECORDS, JSON.stringify({ statements, testFiles }, null, 1))
}
