import { type RawBuilder, sql } from 'kysely'
import type { Database } from './connect.ts'

/** How many go into one statement. */
const MAX_BATCH = 100
/**
 * While a statement is under way the next questions gather, since most of its cost is not of the rows; when this many wait, a second
 * statement goes beside it.
 */
const SECOND_STATEMENT_AT = 24
const MAX_STATEMENTS = 2

type Asked<Question, Answer> = { question: Question; resolve: (answer: Answer | undefined) => void; reject: (error: unknown) => void }

/**
 * Asks for many in one statement what many requests want to know or do at once (as DataLoader does; DESIGN section 11). One that comes
 * alone is asked at once. `ask` gives a row for each question it has an answer to, with the `place` of the question, from 1.
 * What a statement cannot answer together, it is asked one by one: nobody is refused for what somebody else waits for.
 */
export function batched<Question, Answer extends { place: number }>(
  ask: (db: Database, questions: Question[]) => Promise<Answer[]>,
): (db: Database, question: Question) => Promise<Answer | undefined> {
  const queues = new WeakMap<Database, { waiting: Asked<Question, Answer>[]; underWay: number }>()

  async function answer(db: Database, asked: Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = new Map<number, Answer>()
      for (const row of await ask(
        db,
        asked.map(({ question }) => question),
      ))
        answers.set(row.place, row)
      asked.forEach(({ resolve }, index) => resolve(answers.get(index + 1)))
    } catch (error) {
      if (asked.length > 1 && wasRolledBack(error)) await Promise.all(asked.map((one) => answer(db, [one])))
      else for (const { reject } of asked) reject(error)
    }
  }

  return (db, question) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(db) ?? { waiting: [], underWay: 0 }
      queues.set(db, queue)
      queue.waiting.push({ question, resolve, reject })
      const next = (): void => {
        const isWorthIt = queue.waiting.length >= (queue.underWay ? SECOND_STATEMENT_AT : 1)
        if (queue.underWay >= MAX_STATEMENTS || !isWorthIt) return
        queue.underWay++
        void answer(db, queue.waiting.splice(0, MAX_BATCH)).finally(() => {
          queue.underWay--
          // Two turns of the event loop: the answers are sent, and the next requests of their clients are read and join the statement.
          setImmediate(() => setImmediate(next))
        })
      }
      // Requests come in bursts: what arrives in the same turn of the event loop asks together, also where nobody waits yet.
      if (queue.underWay) next()
      else if (queue.waiting.length === 1) setImmediate(next)
    })
}

/**
 * PostgreSQL itself has said so (its errors have a SQLSTATE): nothing of the statement remains. Of a lost connection that is not
 * known, and a database that is slow or full is not asked a hundred times more.
 */
const wasRolledBack = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^[0-9A-Z]{5}$/.test(error.code) &&
  !/^(08|53|57)/.test(error.code)

/**
 * A list as a parameter that the planner cannot count: else it would plan the statement anew for each length, which costs more than
 * to run it.
 */
export const list = (values: readonly unknown[], type: 'bigint' | 'boolean' | 'float8' | 'text'): RawBuilder<unknown> =>
  sql`(select ${values}::${sql.raw(type)}[])::${sql.raw(type)}[]`

/** A query of what was presented, under every pepper: the columns place and mac. */
export const unnestHmacs = (hmacs: string[][]): RawBuilder<unknown> => {
  const places = hmacs.flatMap((each, index) => each.map(() => index + 1))
  return sql`
      select * from unnest(${list(places, 'bigint')}, ${list(hmacs.flat(), 'text')}) as m (place, mac)`
}
