import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { documentedFacts } from '../src/contract-check/promises.ts'
import { coverageOf, isWhole } from './coverage-reporter.ts'
import { whatToDo } from './what-to-do.ts'

const SRC = join(import.meta.dirname, '../src')
const SUITE = { folder: SRC, promised: documentedFacts() }

/** A test file whose traffic has shown these facts, and whose tests ended in these states. */
const moduleOf = (facts: string[], states = ['passed'], moduleId = '/a.test.ts') =>
  ({
    moduleId,
    meta: () => ({ facts }),
    children: { allTests: () => states.map((state) => ({ result: () => ({ state }) })) },
  }) as unknown as TestModule

test('a run that has shown everything lacks nothing', () => {
  const half = SUITE.promised.length / 2
  const modules = [moduleOf(SUITE.promised.slice(half)), moduleOf(SUITE.promised.slice(0, half))]
  expect(coverageOf(modules, SUITE)).toMatchObject({ missing: [], notRun: [] })
})

test.each([
  ['inquire 410', 'this status'],
  ['inquire 429 error slow_down', 'this error code'],
  ['generateToken 200 type application/json', 'this media type'],
  ['inquire 200 header Preference-Applied', 'this header'],
  ['webhook credential.expiring', 'a receiver gets this event'],
  ['event authorization.revoked', 'a stream sends this event'],
])('a run that has not shown %s lacks it, and gets advice', (fact, advice) => {
  expect(SUITE.promised).toContain(fact)
  const { missing } = coverageOf([moduleOf(SUITE.promised.filter((each) => each !== fact))], SUITE)
  expect(missing).toEqual([fact])
  expect(whatToDo(fact)).toMatch(new RegExp(`^Write a test .*${advice}`))
})

test('tests that did not run are counted for each file', () => {
  const modules = [
    moduleOf(SUITE.promised, ['passed', 'failed']),
    moduleOf([], ['passed', 'skipped'], '/b.test.ts'),
    moduleOf([], ['pending', 'pending'], '/c.test.ts'),
  ]
  expect(coverageOf(modules, SUITE).notRun).toEqual([
    { file: '/b.test.ts', count: 1 },
    { file: '/c.test.ts', count: 2 },
  ])
})

test('a run of a few files is not a run of the suite', () => {
  expect(isWhole([moduleOf([], [], join(SRC, 'http/limits.slow.test.ts'))], SUITE)).toBe(false)
})

test('facts reach the reporter from the workers, and a missing one fails the run', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tiwala-reporter-'))
  await mkdir(join(root, 'src'))
  const suite = {
    folder: join(root, 'src'),
    promised: ['readThing 200', 'readThing 404'],
  }
  await writeFile(
    join(root, 'vitest.config.mts'),
    `import { coverageReporter } from '${join(import.meta.dirname, 'coverage-reporter.ts')}'
     const reporters = [coverageReporter(${JSON.stringify(suite)})]
     const setupFiles = '${join(SRC, 'contract-check/setup.ts')}'
     export default { test: { globals: true, reporters, setupFiles, isolate: false, maxWorkers: 1 } }`,
  )
  await writeFile(
    join(root, 'src/found.test.ts'),
    `import { report } from '${join(SRC, 'contract-check/traffic.ts')}'
     test('200: it is read', () => report({ facts: ['readThing 200'], violations: [] }))
     test('404: it is unknown', ({ skip }) => skip())`,
  )
  const vitest = fileURLToPath(new URL('../vitest.mjs', import.meta.resolve('vitest')))
  const child = spawn(process.execPath, [vitest, 'run', '--root', root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(output).toContain('Tests that did not run: 1 of src/found.test.ts')
  expect(output).toContain('Promised, and not seen: readThing 404. Write a test')
  expect(exitCode).toBe(1)
  await rm(root, { recursive: true, force: true })
})
