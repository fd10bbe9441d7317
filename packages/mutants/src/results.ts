// What is known of each mutant. A later run goes on from there.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'
import { CACHE } from './places.ts'
import { hashOfFile } from './record.ts'

/** `passed`: the test files that have not noticed the mutant, each with the hash of its text. */
export type Result = {
  passed: Record<string, string>
  killedBy?: { testFile: string; hash: string; test: string; message: string }
}
export type Results = Record<string, Result>

const FILE = join(CACHE, 'results.json')

export function readResults(): Results {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Results
  } catch {
    return {}
  }
}

export const writeResults = (results: Results): void => writeFileSync(FILE, JSON.stringify(results, null, 1))

const hashes = new Map<string, string>()
function currentHash(testFile: string): string {
  const hash = hashes.get(testFile) ?? hashOfFile(testFile)
  hashes.set(testFile, hash)
  return hash
}

/** The test files that have to run still. */
export function openTestFiles(mutant: Mutant, results: Results): string[] {
  const { passed, killedBy } = results[mutant.id] ?? { passed: {} }
  if (mutant.invalid || (killedBy && killedBy.hash === currentHash(killedBy.testFile))) return []
  return Object.keys(mutant.tests).filter((path) => passed[path] !== currentHash(path))
}

export type State = 'invalid' | 'killed' | 'equivalent' | 'survived' | 'open'

export function stateOf(mutant: Mutant, results: Results): State {
  const { killedBy } = results[mutant.id] ?? {}
  if (mutant.invalid) return 'invalid'
  if (killedBy && killedBy.hash === currentHash(killedBy.testFile)) return 'killed'
  if (mutant.equivalent) return 'equivalent'
  return openTestFiles(mutant, results).length === 0 ? 'survived' : 'open'
}

/** A test that ran out of time, or a process that has ended or hung, kills too. */
export const isTimeout = ({ killedBy }: Result): boolean =>
  /timed out|no outcome/i.test(killedBy?.message ?? '')
