import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const VITEST = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')))
const REPORTER = new URL('coverage-reporter.ts', import.meta.url).href
const HEALTHY = `describe('readThing', () => { test('200: it is read', () => {}) })`
const COVERED = 'Every documented status of 1 operations has a test that passed.'
const UNCOVERED = 'Documented, and without a test that passed:'

/**
 * What a run of vitest says whose suite is these files, under a document that names two statuses of one
 * operation.
 */
async function run(files: Record<string, string>): Promise<{ exitCode: number; output: string }> {
  const root = await mkdtemp(join(tmpdir(), 'tiwala-reporter-'))
  await mkdir(join(root, 'src'))
  await writeFile(
    join(root, 'vitest.config.mts'),
    `import { coverageReporter } from '${REPORTER}'
     const reporters = [coverageReporter('${join(root, 'src')}', { readThing: [200, 404] })]
     export default { test: { globals: true, reporters, isolate: false, maxWorkers: 1 } }`,
  )
  for (const [name, code] of Object.entries(files))
    await writeFile(join(root, 'src', `${name}.test.ts`), code)
  const child = spawn(process.execPath, [VITEST, 'run', '--root', root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [exitCode]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number]>,
  ])
  await rm(root, { recursive: true, force: true })
  return { exitCode, output }
}

test('a run in which every test passes and every status has one is good', async () => {
  const { exitCode, output } = await run({
    found: HEALTHY,
    missing: `describe('readThing', () => { test('404: it is unknown', () => {}) })`,
  })
  expect([exitCode, output]).toEqual([0, expect.stringContaining(COVERED)])
})

test('tests that a failing beforeAll kept from running cover nothing, and are counted', async () => {
  const missing = `describe('readThing', () => {
    beforeAll(() => { throw new Error('the server does not start') })
    test('404: it is unknown', () => {})
    test('404: it belongs to another partner', () => {})
  })`
  const { exitCode, output } = await run({ found: HEALTHY, missing })
  expect(exitCode).toBe(1)
  expect(output).toContain('Tests that did not run: 2, in:\n   src/missing.test.ts\n')
  expect(output).toContain(`${UNCOVERED}\n   readThing 404\n`)
})

test('a failed test covers nothing', async () => {
  const missing = `
    describe('readThing', () => { test('404: it is unknown', () => { expect(200).toBe(404) }) })`
  const { exitCode, output } = await run({ found: HEALTHY, missing })
  expect([exitCode, output]).toEqual([1, expect.stringContaining(`${UNCOVERED}\n   readThing 404\n`)])
})

test('a skipped test fails the run even where another one covers its status', async () => {
  const missing = `
    describe('readThing', () => {
      test('404: it is unknown', () => {})
      test('404: again', ({ skip }) => skip())
    })`
  const { exitCode, output } = await run({ found: HEALTHY, missing })
  expect([exitCode, output]).toEqual([1, expect.stringContaining(COVERED)])
  expect(output).toContain('Tests that did not run: 1, in:\n   src/missing.test.ts\n')
})
