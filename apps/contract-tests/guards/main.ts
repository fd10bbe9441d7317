// `npm run test:guards`: seeds the bug of each guarantee of `apps/server/SECURITY.md`, one at a time, and runs the
// test that must fail. First all these tests run without a bug and must pass. An argument, a regular
// expression, chooses bugs by name.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { openTestPostgres } from '@tiwala/server/testing-postgres'
import type { Fault } from '../../server/stress/inject-fault.ts'
import guards from './guards.json' with { type: 'json' }

/** `replacement` instead of `original`, which occurs once in the file. */
type Bug = { file: string; original: string; replacement: string }

const ROOT = join(import.meta.dirname, '../../..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const PRELOAD = `--import=${import.meta.resolve('../../server/stress/inject-fault.ts')}`

/** `inject-fault.ts` puts it into the file when Node loads it. */
const toFault = ({ file, original, replacement }: Bug): Fault => ({
  file: relative('apps/server/src', file),
  from: original,
  to: replacement,
})

/**
 * The number of tests that passed and failed, and the output of vitest. This process must not block: it reads what
 * PostgreSQL writes to its log, and PostgreSQL stops when the pipe is full.
 */
async function runTests(databaseUrl: string, testFiles: string[], bug?: Bug) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'tiwala-guards-'))
  const report = join(folder.path, 'report.json')
  const seeded = bug && { NODE_OPTIONS: PRELOAD, FAULT: JSON.stringify(toFault(bug)) }
  const vitest = spawn(
    process.execPath,
    [VITEST, 'run', '--project=!embedded', '--reporter=json', `--outputFile=${report}`, ...testFiles],
    {
      cwd: ROOT,
      env: { ...process.env, TEST_DATABASE_URL: databaseUrl, ...seeded },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const [stdout, stderr, [status]] = await Promise.all([
    text(vitest.stdout),
    text(vitest.stderr),
    once(vitest, 'close'),
  ])
  const noCounts = { numFailedTests: 0, numPassedTests: 0 }
  const counts = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as typeof noCounts) : noCounts
  return { failed: counts.numFailedTests, passed: counts.numPassedTests, status, output: stdout + stderr }
}

const pattern = new RegExp(process.argv[2] ?? '.')
const chosen = Object.entries(guards).filter(([name]) => pattern.test(name))
const postgres = await openTestPostgres(undefined)
try {
  const control = await runTests(postgres.url, [...new Set(chosen.map(([, { test }]) => test))])
  if (control.status !== 0) throw new Error(`The tests fail without a bug:\n${control.output.slice(-3_000)}`)
  for (const [name, guard] of chosen) {
    const { failed, passed, status } = await runTests(postgres.url, [guard.test], guard)
    // An uncaught exception fails the run and no test. Without any result, the service cannot even be loaded.
    const found = failed > 0 ? `${failed} tests fail` : passed > 0 && status !== 0 ? 'the run fails' : ''
    if (!found) process.exitCode = 1
    const verdict = found ? `found (${found})` : passed > 0 ? 'NOT FOUND' : 'THE SERVICE DOES NOT LOAD'
    process.stdout.write(`${name}: ${verdict}\n`)
  }
} finally {
  await postgres.stop()
}
