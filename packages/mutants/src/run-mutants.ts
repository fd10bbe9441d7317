// Runs the tests against the mutants, in several processes at once.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { runBatch } from './batch.ts'
import type { Mutant } from './mutants.ts'
import { ROOT, SERVER } from './places.ts'
import { hashOfFile, type Records } from './record.ts'
import { type Finding, openTestFiles, type Results, storeFindings } from './results.ts'
import type { Job, Outcome } from './worker.ts'

/** Most mutants are killed by one of the first test files: only the others meet the next ones. */
const STAGES = [2, 6, 20, Number.POSITIVE_INFINITY]
const MUTANTS_IN_BATCH = 16
const JOBS_IN_BATCH = 120

/** The beginnings of the words of a name: `sso/store.ts redeemExchangeCode` has `redee`, `excha`, `code`. */
const stemsOf = (name: string): Set<string> =>
  new Set(name.match(/[A-Z]?[a-z]{2,}/g)!.map((word) => word.toLowerCase().slice(0, 5)))

const imports = new Map<string, Set<string>>()

/** The files that a file imports, those of a kit replaced by what they import. */
function importsOf(file: string): Set<string> {
  const known = imports.get(file)
  if (known) return known
  const imported = new Set<string>()
  imports.set(file, imported)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']*\.ts)'/g)) {
    const each = resolve(dirname(file), path)
    for (const found of each.includes('/kit/') ? importsOf(each) : [each]) imported.add(found)
  }
  return imported
}

/** Whether a test file imports the source: 2; whether it imports a file that does: 1. */
function importValue(testFile: string, source: string): number {
  const direct = importsOf(testFile)
  if (direct.has(source)) return 2
  return [...direct].some((file) => file.startsWith(SERVER) && importsOf(file).has(source)) ? 1 : 0
}

/**
 * First the test files that have killed other mutants of the statement, or mutants of this name; then those
 * that import its file, or a file that does; then those with a test that names the function; then those whose
 * name has words of the statement's name. Last, the more tests execute the statement and the fewer other
 * statements they execute, the sooner.
 */
function inOrder(mutant: Mutant, paths: string[], { mutants, results, records }: Run): string[] {
  const kills = new Map<string, number>()
  const { statement, name } = mutant
  const isAlike = (other: Mutant) => other.statement === statement || other.name === name
  for (const { id } of mutants.filter(isAlike)) {
    const path = results.get(id)?.killedBy?.testFile
    if (path) kills.set(path, (kills.get(path) ?? 0) + 1)
  }
  const stems = stemsOf(statement.replaceAll(/store|\.ts|\.sql/g, ''))
  const [file = '', functionName] = statement.split(' ')
  const valueOf = (path: string) => {
    const tests = mutant.tests[path]!
    const statements = Object.keys(records.testFiles[path]!.tests).length
    return (
      (kills.get(path) ?? 0) * 100 +
      importValue(join(ROOT, path), join(SERVER, file)) * 20 +
      (functionName && tests.some((test) => test.includes(functionName)) ? 10 : 0) +
      [...stemsOf(path)].filter((stem) => stems.has(stem)).length +
      tests.filter(Boolean).length / statements / 10
    )
  }
  return paths.toSorted((a, b) => valueOf(b) - valueOf(a))
}

const LOST = 'no outcome: the process has ended or hung'

/** `tests`: the paths of the test files to run. */
type Run = {
  mutants: Mutant[]
  records: Records
  results: Results
  url: string
  workers: number
  tests: RegExp
}

export async function runMutants(run: Run, untilMs: number): Promise<void> {
  const { mutants, results, url, workers } = run
  for (const stage of STAGES) {
    const waiting = [...mutants]
    const runWorker = async (_: unknown, index: number) => {
      while (performance.now() < untilMs) {
        const jobs = takeJobs(run, waiting, stage)
        if (jobs.length === 0) return
        await runJobs(`worker-${index}`, url, jobs, results)
        const open = mutants.filter((mutant) => openTestFiles(mutant, results).length > 0).length
        process.stdout.write(
          `${new Date().toISOString()} stage ${stage}: ${jobs.length} jobs, ${open} open\n`,
        )
      }
    }
    await Promise.all(Array.from({ length: workers }, runWorker))
  }
}

/** Takes mutants from `waiting`: each meets the test files that it has not met, up to `stage` in all. */
function takeJobs(run: Run, waiting: Mutant[], stage: number): Job[] {
  const jobs: Job[] = []
  const taken = new Set<string>()
  while (waiting.length > 0 && taken.size < MUTANTS_IN_BATCH && jobs.length < JOBS_IN_BATCH) {
    const mutant = waiting.shift()!
    const done = Object.keys(run.results.get(mutant.id)?.passed ?? {}).length
    const chosen = openTestFiles(mutant, run.results).filter((path) => run.tests.test(path))
    const open = inOrder(mutant, chosen, run)
    for (const path of open.slice(0, Math.max(0, stage - done))) {
      jobs.push(jobOf(mutant, path, jobs.length))
      taken.add(mutant.id)
    }
  }
  return jobs
}

function jobOf(mutant: Mutant, path: string, number: number): Job {
  const { id, bug, tests } = mutant
  const names = tests[path]!
  return {
    mutant: id,
    number,
    testFile: join(ROOT, path),
    ...bug,
    // A statement outside of any test serves every test.
    ...(names.includes('') ? {} : { tests: names }),
  }
}

/**
 * Runs the jobs, then the test files that have killed a mutant once more without one: a mutant must not fail
 * what comes after it. A kill counts only if its test file then passes. If it fails, for example because a
 * mutant has left something in the process, each of its jobs runs again in a process of its own.
 */
async function runJobs(worker: string, url: string, jobs: Job[], results: Results): Promise<void> {
  const isAlone = jobs.length === 1
  const controls = [...new Set(jobs.map(({ testFile }) => testFile))].map((testFile, index): Job => ({
    mutant: '',
    number: jobs.length + index,
    testFile,
    isControl: true,
  }))
  const outcomes = await runBatch(worker, url, isAlone ? jobs : [...jobs, ...controls])
  const killed = outcomes.filter(({ mutant, state }) => mutant && state === 'failed')
  const last = outcomes.at(-1)!
  if (last.mutant && last.state === 'started') killed.push({ ...last, message: LOST })
  const controlled = outcomes.filter(({ mutant }) => !mutant)
  // A mutant that has ended its process, or hung, lets no control run there.
  const late = controls.filter(
    ({ testFile }) =>
      killed.some((each) => each.testFile === testFile) &&
      !controlled.some((each) => each.testFile === testFile),
  )
  controlled.push(
    ...(await runBatch(
      worker,
      url,
      late.map((job) => ({ ...job, isControl: false })),
    )),
  )
  const reliable = new Set(
    controlled.filter(({ state }) => state === 'passed').map(({ testFile }) => testFile),
  )
  const findingOf = ({ mutant, testFile }: Outcome) => {
    const path = relative(ROOT, testFile)
    return { mutant, testFile: path, hash: hashOfFile(path)! }
  }
  storeFindings(results, [
    ...outcomes
      .filter(({ mutant, state }) => mutant && state === 'passed')
      .map((outcome): Finding => ({ ...findingOf(outcome), state: 'passed' })),
    ...killed
      .filter(({ testFile }) => reliable.has(testFile))
      .map((outcome): Finding => {
        const { test = '', message = '' } = outcome
        return { ...findingOf(outcome), state: 'killed', test, message }
      }),
  ])
  for (const { mutant, testFile } of killed.filter((each) => !reliable.has(each.testFile))) {
    if (isAlone) process.stdout.write(`Fails also without a mutant: ${relative(ROOT, testFile)}\n`)
    else {
      const job = jobs.find((each) => each.mutant === mutant && each.testFile === testFile)!
      await runJobs(worker, url, [job], results)
    }
  }
}
