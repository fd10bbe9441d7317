// The mutants of all recorded statements.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { equivalentReason } from './equivalents.ts'
import type { Replacement } from './hook.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { ROOT } from './places.ts'
import { hashOf, type Records } from './record.ts'

const SERVER = join(ROOT, 'apps/server/src')

/**
 * `statement`: the file and the function that execute it: `sso/store.ts redeemExchangeCode`. `name`: what the
 * mutant lacks. `tests`: the tests that execute the statement, by file.
 */
export type Mutant = {
  id: string
  statement: string
  line: number
  name: string
  replacement: Replacement
  tests: Record<string, string[]>
  equivalent: string | undefined
  /** Why PostgreSQL refuses the mutant, which then is none. */
  invalid?: string
}

/** The exported name that a line of a file belongs to. */
export function functionAt(file: string, line: number): string {
  const before = readFileSync(join(SERVER, file), 'utf8').split('\n').slice(0, line)
  const declared = /^(?:export )?(?:async )?(?:function|const) (\w+)/
  return declared.exec(before.findLast((each) => declared.test(each)) ?? '')?.[1] ?? String(line)
}

export function mutantsOf({ statements, testFiles }: Records): Mutant[] {
  return Object.entries(statements).flatMap(([hash, { text, site }]) => {
    const tests = Object.fromEntries(
      Object.entries(testFiles).flatMap(([path, file]) =>
        file.tests[hash] ? [[path, file.tests[hash]]] : [],
      ),
    )
    const [file, line] = [site.split(':')[0]!, Number(site.split(':')[1])]
    const statement = `${file} ${functionAt(file, line)}`
    return mutationsOf(text).map(({ name, text: mutant, parameters, isFaithful }) => ({
      id: hashOf(`${text}\n${mutant}`),
      statement,
      line,
      name,
      replacement: { text, mutant, parameters },
      tests,
      equivalent: equivalentReason(statement, name),
      ...(isFaithful ? {} : { invalid: 'its text cannot be written' }),
    }))
  })
}

/** Asks PostgreSQL to prepare a statement. */
export async function refusalOf(
  client: pg.Client,
  { text }: Pick<Mutation, 'text'>,
): Promise<string | undefined> {
  return client.query(`prepare mutant as ${text}`).then(
    async () => {
      await client.query('deallocate mutant')
      return undefined
    },
    (error: Error) => error.message,
  )
}
