// What is known of each mutant. A later run goes on from there, on another machine with the kills only: they
// are committed.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLines } from './batch.ts'
import type { Mutant } from './mutants.ts'
import { CACHE, KILLS } from './places.ts'
import { hashOfFile } from './record.ts'

/** What a test file, whose text has this hash, has found. */
export type Finding = { mutant: string; testFile: string; hash: string } & (
  | { state: 'passed' }
  | { state: 'killed'; test: string; message: string }
)
type Kill = Finding & { state: 'killed' }

/** `passed`: the test files that have not noticed the mutant, each with the hash of its text. */
type Result = { passed: Record<string, string>; killedBy?: Kill }
export type Results = Map<string, Result>

const FILE = join(CACHE, 'results.jsonl')

const hashes = new Map<string, string | undefined>()
function currentHash(testFile: string): string | undefined {
  if (!hashes.has(testFile)) hashes.set(testFile, hashOfFile(testFile))
  return hashes.get(testFile)
}

/** A finding of another version of its test file says nothing. */
export function addFinding(results: Results, finding: Finding): void {
  if (finding.hash !== currentHash(finding.testFile)) return
  const result = results.get(finding.mutant) ?? { passed: {} }
  results.set(finding.mutant, result)
  if (finding.state === 'killed') {
    result.killedBy = finding
    return
  }
  result.passed[finding.testFile] = finding.hash
  if (result.killedBy?.testFile === finding.testFile) delete result.killedBy
}

/**
 * The mutants that a test file, whose text has this hash, has killed. `byTime`: those that it has killed by a
 * time limit, or by the end of its process.
 */
type StoredKills = { testFile: string; hash: string; mutants: string[]; byTime: string[] }

export function readResults(): Results {
  const results: Results = new Map()
  const stored = existsSync(KILLS) ? (JSON.parse(readFileSync(KILLS, 'utf8')) as StoredKills[]) : []
  for (const { testFile, hash, mutants, byTime } of stored) {
    const killed = { testFile, hash, state: 'killed', test: '' } as const
    for (const mutant of mutants) addFinding(results, { ...killed, mutant, message: '' })
    for (const mutant of byTime) addFinding(results, { ...killed, mutant, message: BY_TIME })
  }
  for (const finding of readLines<Finding>(FILE)) addFinding(results, finding)
  return results
}

export function storeFindings(results: Results, findings: Finding[]): void {
  for (const finding of findings) addFinding(results, finding)
  appendFileSync(FILE, findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''))
}

/** Stores the kills of these mutants. */
export function storeKills(results: Results, mutants: Mutant[]): void {
  const kills = Map.groupBy(
    mutants.flatMap(({ id }) => results.get(id)?.killedBy ?? []),
    ({ testFile }) => testFile,
  )
  const idsOf = (killed: Kill[]) => killed.map(({ mutant }) => mutant).toSorted()
  const stored = [...kills].map(([testFile, killed]): StoredKills => ({
    testFile,
    hash: killed[0]!.hash,
    mutants: idsOf(killed.filter((kill) => !hasEndedByTime(kill))),
    byTime: idsOf(killed.filter(hasEndedByTime)),
  }))
  const sorted = stored.toSorted((a, b) => (a.testFile < b.testFile ? -1 : 1))
  writeFileSync(KILLS, `${JSON.stringify(sorted, null, 1)}\n`)
}

/** The test files that have to run still. */
export function openTestFiles(mutant: Mutant, results: Results): string[] {
  const { passed, killedBy } = results.get(mutant.id) ?? { passed: {} }
  if (mutant.invalid || mutant.equivalent || killedBy) return []
  return Object.keys(mutant.tests).filter((path) => passed[path] === undefined)
}

export type State = 'invalid' | 'killed' | 'equivalent' | 'survived' | 'open'

export function stateOf(mutant: Mutant, results: Results): State {
  if (mutant.invalid) return 'invalid'
  if (results.get(mutant.id)?.killedBy) return 'killed'
  if (mutant.equivalent) return 'equivalent'
  return openTestFiles(mutant, results).length === 0 ? 'survived' : 'open'
}

const BUSY = /timed out|timeout|no outcome|not available|unavailable/i
const BY_TIME = 'timed out'
const hasEndedByTime = ({ message }: Kill): boolean => BUSY.test(message)

/** Whether a busy machine may have caused it: a time limit, or a process that has ended or hung. */
export const isByTime = ({ killedBy }: Result): boolean => killedBy !== undefined && hasEndedByTime(killedBy)

/** The test files that have killed these mutants run again. */
export function forgetKillsByTime(results: Results): void {
  for (const result of results.values()) if (isByTime(result)) delete result.killedBy
}
