import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { openTestPostgres } from '@tiwala/server/testing-postgres'
import pg from 'pg'
import { baseCommit, changedFiles, changedMigrations, changedParts, isChanged } from './changed.ts'
import { type Mutant, mutantsOf, refusalOf, untestedSites } from './mutants.ts'
import { listTestFiles, readRecords, record, versionOf } from './record.ts'
import { report } from './report.ts'
import { forgetKillsByTime, readResults, storeKills } from './results.ts'
import { runMutants } from './run-mutants.ts'

const FILES_PER_RECORDING = 20

const { values } = parseArgs({
  options: {
    /** All statements. Without it, those that have changed. */
    all: { type: 'boolean', default: false },
    /** A regular expression on `file function: what the mutant lacks`. */
    only: { type: 'string', default: '.' },
    /** A regular expression on the paths of the test files to run. */
    tests: { type: 'string', default: '.' },
    workers: { type: 'string', default: String(availableParallelism()) },
    minutes: { type: 'string', default: '600' },
    /** Decides again on the kills that a busy machine may have caused. */
    again: { type: 'boolean', default: false },
    /** Runs nothing: prints what is known. */
    report: { type: 'boolean', default: false },
  },
})

/** Records the test files that have changed since they were recorded. */
async function recordTests(url: string): Promise<void> {
  const { testFiles } = readRecords()
  const paths = listTestFiles().filter((path) => testFiles[path]?.version !== versionOf(path))
  for (let first = 0; first < paths.length; first += FILES_PER_RECORDING)
    await record('record', url, paths.slice(first, first + FILES_PER_RECORDING))
}

/** Marks the mutants that PostgreSQL refuses. */
async function validate(url: string, mutants: Mutant[]): Promise<void> {
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query('drop database if exists mutants')
  await admin.query('create database mutants template tiwala_template')
  await admin.end()
  const client = new pg.Client(url.replace(/\/[^/]*$/, '/mutants'))
  await client.connect()
  for (const mutant of mutants) {
    const refusal = mutant.invalid ?? (await refusalOf(client, mutant))
    if (refusal !== undefined) mutant.invalid = refusal
  }
  await client.end()
}

const postgres = await openTestPostgres(undefined)
try {
  if (!values.report) await recordTests(postgres.url)
  const records = readRecords()
  const base = baseCommit()
  const [parts, migrations] = [changedParts(base), new Set(changedMigrations(base))]
  const files = changedFiles(base)
  function hasChanged({ statement, bug }: Mutant): boolean {
    if ('code' in bug) return files.has(statement)
    const { schema, text } = bug.replacement
    return schema === undefined ? isChanged(text, parts) : migrations.has(statement)
  }
  const pattern = new RegExp(values.only)
  const allMutants = mutantsOf(records)
  const mutants = allMutants.filter(
    (mutant) => pattern.test(`${mutant.statement}: ${mutant.name}`) && (values.all || hasChanged(mutant)),
  )
  await validate(postgres.url, mutants)
  const results = readResults()
  if (values.again) forgetKillsByTime(results)
  const untilMs = performance.now() + Number(values.minutes) * 60_000
  if (!values.report) {
    const run = { mutants, records, results, url: postgres.url }
    await runMutants({ ...run, workers: Number(values.workers), tests: new RegExp(values.tests) }, untilMs)
    storeKills(results, allMutants)
  }
  const { text, isComplete } = report(mutants, results, values.all ? untestedSites(records) : [])
  process.stdout.write(`${text}\n`)
  if (!isComplete) process.exitCode = 1
} finally {
  await postgres.stop()
}
