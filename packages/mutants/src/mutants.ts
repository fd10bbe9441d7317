// The mutants of all recorded statements.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { codeMutants } from './code.ts'
import { equivalentReason } from './equivalents.ts'
import { hashOf } from './hash.ts'
import type { Replacement } from './hook.ts'
import { mutationsOf } from './mutations.ts'
import { isOfCode, SERVER } from './places.ts'
import type { Records } from './record.ts'
import { schemaMutations } from './schema.ts'

/**
 * `statement`: the file and the function that execute it: `sso/store.ts redeemExchangeCode`; of the code, the
 * file. `name`: what the mutant lacks. `tests`: the tests that execute the statement or the code, by file.
 */
export type Mutant = {
  id: string
  statement: string
  name: string
  bug: { replacement: Replacement } | { code: string }
  tests: Record<string, string[]>
  equivalent: string | undefined
  /** Why PostgreSQL refuses the mutant, which is then skipped. */
  invalid?: string
}

/** The exported name that a line of a file belongs to. */
function functionAt(file: string, line: number): string {
  const before = readFileSync(join(SERVER, file), 'utf8').split('\n').slice(0, line)
  const declared = /^(?:export )?(?:async )?(?:function|const) (\w+)/
  return declared.exec(before.findLast((each) => declared.test(each)) ?? '')?.[1] ?? String(line)
}

/**
 * The first statement of each start of the service (`database/migrate.ts`): a mutant of the schema changes
 * the schema before it.
 */
const FIRST_STATEMENT = `select to_regclass('kysely_migration') is not null as exists`

/** The tests that execute one of the statements, by file. */
function testsOf({ testFiles }: Records, hashes: string[]): Record<string, string[]> {
  const found = Object.entries(testFiles).map(([path, { tests }]) => {
    const names = hashes.flatMap((hash) => tests[hash] ?? [])
    return [path, [...new Set(names)]] as [string, string[]]
  })
  return Object.fromEntries(found.filter(([, names]) => names.length > 0))
}

function mutantsOfStatements(records: Records): Mutant[] {
  return Object.entries(records.statements).flatMap(([hash, { text, site }]) => {
    const tests = testsOf(records, [hash])
    const [file = '', line] = site.split(':')
    const statement = `${file} ${functionAt(file, Number(line))}`
    return mutationsOf(text).map(({ name, text: mutant, parameters, isFaithful }) => ({
      id: hashOf(`${text}\n${mutant}`),
      statement,
      name,
      bug: { replacement: { text, mutant, parameters } },
      tests,
      equivalent: equivalentReason(statement, name),
      ...(isFaithful ? {} : { invalid: 'its text cannot be written' }),
    }))
  })
}

function mutantsOfSchema(records: Records): Mutant[] {
  const texts = Object.values(records.statements).map(({ text }) => text)
  if (texts.length > 0 && !texts.includes(FIRST_STATEMENT))
    throw new Error('No start of the service executes FIRST_STATEMENT: copy it from database/migrate.ts.')
  return schemaMutations().map(({ file, name, ddl, uses }) => {
    const hashes = Object.keys(records.statements).filter((hash) => uses.test(records.statements[hash]!.text))
    return {
      id: hashOf(ddl),
      statement: file,
      name,
      bug: { replacement: { text: FIRST_STATEMENT, mutant: '', parameters: [], schema: ddl } },
      tests: testsOf(records, hashes),
      equivalent: equivalentReason(file, name),
    }
  })
}

const mutantsOfCode = (records: Records): Mutant[] =>
  codeMutants().map(({ id, place, name }) => {
    const [statement = '', line] = place.split(':')
    return {
      id,
      statement,
      name: `line ${line}: ${name}`,
      bug: { code: id },
      tests: testsOf(records, [hashOf(id)]),
      equivalent: equivalentReason(statement, name),
    }
  })

export const mutantsOf = (records: Records): Mutant[] =>
  isOfCode ? mutantsOfCode(records) : [...mutantsOfStatements(records), ...mutantsOfSchema(records)]

/** The places of the service that execute a statement which no test executes. */
export function untestedSites({ statements }: Records): string[] {
  if (isOfCode) return []
  const tested = new Set(Object.values(statements).map(({ site }) => site))
  const files = globSync('**/*.ts', { cwd: SERVER }).filter((path) => !path.startsWith('testing/'))
  return files.flatMap((path) => {
    const text = readFileSync(join(SERVER, path), 'utf8')
    if (!text.includes('sql')) return []
    return text.split('\n').flatMap((line, index) => {
      const site = `${path}:${index + 1}`
      const isStatement = /`\.execute\(|\)\.execute\((db|tx)\)/.test(line)
      return isStatement && !tested.has(site) ? [`${path} ${functionAt(path, index + 1)}`] : []
    })
  })
}

/** Why PostgreSQL refuses a mutant. */
export async function refusalOf(client: pg.Client, { bug }: Mutant): Promise<string | undefined> {
  if ('code' in bug) return undefined
  const { mutant, schema } = bug.replacement
  await client.query('begin')
  const refusal = await client.query(schema ?? `prepare mutant as ${mutant}`).then(
    () => undefined,
    (error: Error) => error.message,
  )
  await client.query('rollback')
  if (refusal === undefined && schema === undefined) await client.query('deallocate mutant')
  return refusal
}
