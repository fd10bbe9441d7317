// Runs the tests against the mutants, in several processes at once.
import { join, relative } from 'node:path'
import { runBatch } from './batch.ts'
import type { Mutant } from './mutants.ts'
import { ROOT } from './places.ts'
import { hashOfFile, type Records } from './record.ts'
import { openTestFiles, type Results, writeResults } from './results.ts'
import type { Job } from './worker.ts'

/** Most mutants are killed by one of the first test files: only the others meet the next ones. */
const STAGES = [3, 9, Number.POSITIVE_INFINITY]
const MUTANTS_IN_BATCH = 24
const JOBS_IN_BATCH = 120

/**
 * Test files that have killed other mutants of the statement come first, then those with the most tests of
 * the statement for their cost.
 */
function inOrder(mutant: Mutant, paths: string[], mutants: Mutant[], results: Results, records: Records) {
  const kills = new Map<string, number>()
  for (const { id } of mutants.filter(({ statement }) => statement === mutant.statement)) {
    const path = results[id]?.killedBy?.testFile
    if (path) kills.set(path, (kills.get(path) ?? 0) + 1)
  }
  const valueOf = (path: string) =>
    (kills.get(path) ?? 0) * 1_000 + mutant.tests[path]!.length / (300 + records.testFiles[path]!.cpuMs)
  return paths.toSorted((a, b) => valueOf(b) - valueOf(a))
}

type Run = { mutants: Mutant[]; records: Records; results: Results; url: string; lanes: number }

export async function runMutants(
  { mutants, records, results, url, lanes }: Run,
  untilMs: number,
): Promise<void> {
  for (const stage of STAGES) {
    const waiting = mutants.filter((mutant) => openTestFiles(mutant, results).length > 0)
    const runLane = async (_: unknown, lane: number) => {
      while (waiting.length > 0 && performance.now() < untilMs) {
        const jobs: Job[] = []
        const batch: Mutant[] = []
        while (waiting.length > 0 && batch.length < MUTANTS_IN_BATCH && jobs.length < JOBS_IN_BATCH) {
          const mutant = waiting.shift()!
          const done = Object.keys(results[mutant.id]?.passed ?? {}).length
          const open = inOrder(mutant, openTestFiles(mutant, results), mutants, results, records)
          batch.push(mutant)
          for (const path of open.slice(0, Math.max(0, stage - done)))
            jobs.push(jobOf(mutant, path, jobs.length))
        }
        if (jobs.length === 0) continue
        await runJobs(`lane-${lane}`, url, jobs, results)
        const left = mutants.filter((mutant) => openTestFiles(mutant, results).length > 0).length
        process.stdout.write(
          `${new Date().toISOString()} stage ${stage}: ${jobs.length} jobs, ${left} open\n`,
        )
      }
    }
    await Promise.all(Array.from({ length: lanes }, runLane))
  }
}

function jobOf(mutant: Mutant, path: string, number: number): Job {
  const { id, replacement, tests } = mutant
  const names = tests[path]!
  return {
    mutant: id,
    number,
    testFile: join(ROOT, path),
    replacement,
    // A statement outside of any test serves every test.
    ...(names.includes('') ? {} : { tests: names }),
  }
}

/**
 * Runs the jobs, then the test files that have killed a mutant once more without one: a mutant must not fail
 * what comes after it.
 */
async function runJobs(lane: string, url: string, jobs: Job[], results: Results): Promise<void> {
  const controls = [...new Set(jobs.map(({ testFile }) => testFile))].map((testFile, index) => ({
    mutant: '',
    number: jobs.length + index,
    testFile,
    isControl: true,
  }))
  const outcomes = await runBatch(lane, url, [...jobs, ...controls])
  const unreliable = new Set(
    outcomes.filter(({ mutant, state }) => !mutant && state === 'failed').map(({ testFile }) => testFile),
  )
  for (const testFile of unreliable)
    process.stdout.write(`Fails also without a mutant: ${relative(ROOT, testFile)}\n`)
  const last = outcomes.at(-1)!
  for (const { mutant, testFile, state, test = '', message = '' } of outcomes) {
    const isLost =
      state === 'started' && last.state === 'started' && last.mutant === mutant && last.testFile === testFile
    if (!mutant || unreliable.has(testFile) || (state === 'started' && !isLost)) continue
    const path = relative(ROOT, testFile)
    const result = (results[mutant] ??= { passed: {} })
    if (state === 'passed') result.passed[path] = hashOfFile(path)
    else
      result.killedBy ??= {
        testFile: path,
        hash: hashOfFile(path),
        test,
        message: isLost ? 'no outcome: the process has ended or hung' : message,
      }
  }
  writeResults(results)
}
