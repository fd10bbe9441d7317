// Runs jobs in one process of vitest, one after the other.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killGroupWithParent } from '@tiwala/server/testing-group'
import { CACHE, isOfCode, ROOT } from './places.ts'
import type { Job, Outcome } from './worker.ts'

const WORKER = join(import.meta.dirname, 'worker.ts')
const CONFIG = join(import.meta.dirname, '../vitest.batch.config.ts')
/** A process without any outcome for so long hangs. */
const HANGS_AFTER_MS = 120_000

const CONTRACT_TESTS = join(ROOT, 'packages/contract-tests/')
const SETUP = join(CONTRACT_TESTS, 'src/contract-check/setup.ts')

export const readLines = <Line>(file: string): Line[] =>
  (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)

function sourceOf(job: Job, outcomeFile: string): string {
  const setup = job.testFile.startsWith(CONTRACT_TESTS) ? { setup: SETUP } : {}
  return [
    `import { runJob } from ${JSON.stringify(WORKER)}`,
    `await runJob(${JSON.stringify({ ...job, ...setup })}, ${JSON.stringify(outcomeFile)})`,
    '',
  ].join('\n')
}

/**
 * Returns the outcomes of the jobs. If the process ends or hangs in a job, that job has no outcome but
 * `started`, and the later ones have none.
 */
export async function runBatch(worker: string, url: string, jobs: Job[]): Promise<Outcome[]> {
  if (jobs.length === 0) return []
  const folder = join(CACHE, `.generated-${worker}`)
  const outcomeFile = join(folder, 'outcomes.jsonl')
  const logFolder = join(folder, 'logs')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(logFolder, { recursive: true })
  jobs.forEach((job, index) =>
    writeFileSync(join(folder, `${String(index).padStart(5, '0')}.test.ts`), sourceOf(job, outcomeFile)),
  )
  const child = spawn('vitest', ['run', '--config', CONFIG, '--silent', '--reporter=dot'], {
    cwd: ROOT,
    env: {
      ...process.env,
      MUTANTS_BATCH_FOLDER: folder,
      MUTANTS_DATABASE_URL: url,
      MUTANTS_LOG_FOLDER: logFolder,
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
      // The files are mutated when Node loads them.
      ...(isOfCode && { NODE_OPTIONS: `--import=${import.meta.resolve('./hook.ts')}` }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const endGroup = killGroupWithParent(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  await new Promise<void>((resolve) => {
    let [known, knownSinceMs] = [0, performance.now()]
    const watch = setInterval(() => {
      const count = readLines(outcomeFile).length
      if (count !== known) [known, knownSinceMs] = [count, performance.now()]
      if (performance.now() - knownSinceMs > HANGS_AFTER_MS) endGroup()
    }, 5_000)
    child.once('close', () => {
      clearInterval(watch)
      resolve()
    })
  })
  writeFileSync(join(CACHE, `${worker}.log`), output)
  const outcomes = readLines<Outcome>(outcomeFile)
  if (outcomes.length === 0) throw new Error(`The tests do not start:\n${output.slice(-3_000)}`)
  return outcomes
}
