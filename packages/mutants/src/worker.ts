// Runs in a process of vitest: one test file with one mutant.
import { appendFileSync } from 'node:fs'
import { afterAll, beforeEach, expect, test as declareTest } from 'vitest'
import { closeCommonService } from '../../contract-tests/src/kit/test-service.ts'
import { type HookState, setHookState } from './hook.ts'

/**
 * `mutant`: its id; an empty one is the unchanged service. `tests`: the others of the file are skipped.
 * `setup`: what runs in front of the test file.
 */
export type Job = Omit<HookState, 'test'> & {
  mutant: string
  number: number
  tests?: string[]
  setup?: string
  /** Runs only if the test file has killed a mutant in this process. */
  isControl?: boolean
}

/** A job starts; it is `passed` or `failed` later, or its process has ended. */
export type Outcome = Pick<Job, 'mutant' | 'testFile'> & {
  state: 'started' | 'passed' | 'failed'
  cpuMs?: number
  test?: string
  message?: string
}

type Task = {
  name: string
  result?: { state: string; errors?: { message: string }[] }
  tasks?: Task[]
  suite?: Task
}

const fullNameOf = ({ suite, name }: Task): string => (suite ? `${fullNameOf(suite)} > ${name}` : name)

let current: string | undefined
const failed = new Set<string>()
const killers = new Set<string>()

function findFailed(task: Task): Task | undefined {
  for (const child of task.tasks ?? []) {
    const found = findFailed(child)
    if (found) return found
  }
  return task.result?.state === 'fail' ? task : undefined
}

/** Vitest refuses a file without a test. */
const noTest = (): void => declareTest('nothing to run', () => expect(current).toBe(current))

export async function runJob(job: Job, outcomeFile: string): Promise<void> {
  const { mutant, number, setup, tests, isControl, ...state } = job
  const { testFile } = job
  const report = (outcome: Omit<Outcome, 'mutant' | 'testFile'>) =>
    appendFileSync(outcomeFile, `${JSON.stringify({ mutant, testFile, ...outcome })}\n`)
  function fail(name: string, message = ''): void {
    if (mutant) failed.add(mutant)
    killers.add(testFile)
    report({ state: 'failed', test: name, message: message.slice(0, 300), cpuMs: cpuMs() })
  }
  const start = process.cpuUsage()
  const cpuMs = () => {
    const { user, system } = process.cpuUsage(start)
    return Math.round((user + system) / 1_000)
  }

  if (failed.has(mutant) || (isControl && !killers.has(testFile))) return noTest()
  report({ state: 'started' })
  // What a mutant has written must not fail the tests of the next one.
  if (current !== undefined && current !== mutant) await closeCommonService().catch(() => {})
  current = mutant
  setHookState({ test: '', ...state })
  beforeEach(({ task, skip, onTestFailed }) => {
    const test = fullNameOf(task)
    if (failed.has(mutant) || (tests && !tests.includes(test))) skip()
    setHookState({ test, ...state })
    onTestFailed(() => {
      if (!failed.has(mutant)) fail(test, task.result?.errors?.[0]?.message)
    })
  })
  // Vitest takes the first named parameter for fixtures, and passes the suite as the second one.
  afterAll(function reportEnd() {
    const wrong = findFailed(arguments[1] as Task)
    if (wrong && !failed.has(mutant)) fail(wrong.name, wrong.result?.errors?.[0]?.message)
    else if (!wrong && !failed.has(mutant)) report({ state: 'passed', cpuMs: cpuMs() })
  })
  try {
    if (setup) await import(/* @vite-ignore */ `${setup}?job=${number}`)
    await import(/* @vite-ignore */ `${testFile}?job=${number}`)
  } catch (error) {
    fail('the test file cannot be loaded', (error as Error).message)
    noTest()
  }
}
