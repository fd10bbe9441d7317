// Proves the column "Mutant" of `apps/server/SECURITY.md`: runs each test of `guards.json` with its bug,
// which must fail a test, and first all of them without a bug, which must pass. Prints one line for each bug.
// An argument, a regular expression, chooses bugs by name.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openTestPostgres } from '@tiwala/server/testing-postgres'
import guards from '../guards.json' with { type: 'json' }
import type { Bug, HookState } from './hook.ts'
import { HOOK_VARIABLE, ROOT } from './places.ts'

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const MAX_OUTPUT_BYTES = 2 ** 28

const HOOK = `--import=${import.meta.resolve('./hook.ts')}`

function environmentOf(source: Bug): Record<string, string> {
  const state: HookState = { testFile: '', test: '', source }
  return { NODE_OPTIONS: HOOK, [HOOK_VARIABLE]: JSON.stringify(state) }
}

/** Of vitest's report. */
type Counts = { numFailedTests: number; numPassedTests: number }
/** `hasFailed`: a test, or with an error outside of any test. */
type Outcome = { hasFailed: boolean; failed: number; passed: number; output: string }

async function run(url: string, tests: string[], bug?: Bug): Promise<Outcome> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tiwala-guards-'))
  const report = join(folder.path, 'report.json')
  const env = { ...process.env, TEST_DATABASE_URL: url, ...(bug && environmentOf(bug)) }
  const args = [VITEST, 'run', '--project', '!embedded', '--reporter', 'json', '--outputFile', report]
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, [...args, ...tests], {
    cwd: ROOT,
    env,
    maxBuffer: MAX_OUTPUT_BYTES,
  }).then(
    (output) => ({ ...output, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  )
  const counts = existsSync(report) ? (JSON.parse(await readFile(report, 'utf8')) as Counts) : undefined
  return {
    hasFailed: code !== 0,
    failed: counts?.numFailedTests ?? 0,
    passed: counts?.numPassedTests ?? 0,
    output: stdout + stderr,
  }
}

const pattern = new RegExp(process.argv[2] ?? '.')
const chosen = Object.entries(guards).filter(([name]) => pattern.test(name))
const postgres = await openTestPostgres(undefined)
try {
  const control = await run(postgres.url, [...new Set(chosen.map(([, { test }]) => test))])
  if (control.hasFailed) throw new Error(`The tests fail without a bug:\n${control.output.slice(-3_000)}`)
  for (const [name, guard] of chosen) {
    const { hasFailed, failed, passed } = await run(postgres.url, [guard.test], guard)
    // Without any result, the mutant cannot even be loaded.
    const isKilled = hasFailed && failed + passed > 0
    const verdict = isKilled ? `killed (${failed} tests fail)` : hasFailed ? 'DOES NOT RUN' : 'SURVIVES'
    if (!isKilled) process.exitCode = 1
    process.stdout.write(`${name}: ${verdict}\n`)
  }
} finally {
  await postgres.stop()
}
