// The kills that are committed: another machine reads them, and decides on the other mutants only.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import type { Mutant } from '../src/mutants.ts'
import type * as Places from '../src/places.ts'
import { hashOfFile } from '../src/record.ts'
import {
  addFinding,
  forgetKillsByTime,
  isByTime,
  readResults,
  type Results,
  stateOf,
  storeKills,
} from '../src/results.ts'

const { folder } = vi.hoisted(() => ({ folder: { path: '' } }))
vi.mock('../src/places.ts', async (importOriginal) => {
  folder.path = mkdtempSync(join(tmpdir(), 'tiwala-mutants-'))
  const places = await importOriginal<typeof Places>()
  return { ...places, CACHE: join(folder.path, 'cache'), KILLS: join(folder.path, 'kills.json') }
})
afterAll(() => rmSync(folder.path, { recursive: true }))

const TEST_FILE = 'packages/mutants/test/code.test.ts'
const mutantOf = (id: string): Mutant => ({ id, tests: { [TEST_FILE]: [''] } }) as unknown as Mutant
const mutants = ['noticed', 'slow', 'gone', 'passed'].map(mutantOf)

test('a kill is stored, also one by a time limit, unless the mutant no longer exists', () => {
  const results: Results = new Map()
  const found = { testFile: TEST_FILE, hash: hashOfFile(TEST_FILE)! }
  const kill = (mutant: string, message: string) =>
    addFinding(results, { ...found, mutant, state: 'killed', test: 'a test', message })
  kill('noticed', 'expected 1 to be 2')
  kill('slow', 'Test timed out in 5000ms.')
  kill('gone', 'expected 1 to be 2')
  addFinding(results, { ...found, mutant: 'passed', state: 'passed' })
  storeKills(
    results,
    mutants.filter(({ id }) => id !== 'gone'),
  )
  const read = readResults()
  expect(mutants.map((mutant) => stateOf(mutant, read))).toEqual(['killed', 'killed', 'open', 'open'])
  expect(['noticed', 'slow'].map((id) => isByTime(read.get(id)!))).toEqual([false, true])
  forgetKillsByTime(read)
  expect(mutants.map((mutant) => stateOf(mutant, read))).toEqual(['killed', 'open', 'open', 'open'])
})

test('a finding of another version of its test file does not count', () => {
  const results: Results = new Map()
  addFinding(results, { mutant: 'old', testFile: TEST_FILE, hash: 'other', state: 'passed' })
  expect(results.size).toBe(0)
})
