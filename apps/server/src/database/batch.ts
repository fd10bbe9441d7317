// Batching, as DataLoader does it: requests that need the same kind of row at the same time share one
// statement, because most of the cost of a statement does not depend on its number of rows.
//
// `batched(run)` returns a function that takes one input and resolves to its row, or to `undefined` if it has
// none. `run` gets a list of inputs and returns rows. Each row says which input it belongs to: its column
// `input_no` is the position of the input in the list, counted from 1. A row of the second input has
// `input_no` 2.
//
// States of a queue (one for each batched function and each database):
// - No statement in flight: the first input waits for the current turn of the event loop to end, so that
//   inputs of the same turn share its statement.
// - One statement in flight: inputs wait. A second statement starts when 24 of them wait, or when the first
//   one ends.
// - Two statements in flight: inputs wait until one of them ends.
// A statement takes at most 100 inputs. The others wait for the next one.
//
// Example: A arrives alone and its statement starts. B, C and D arrive while it runs. When it ends, one
// statement reads B, C and D together.
//
// Guarantee: if PostgreSQL rejects a statement, each input is retried alone, so that one bad input cannot
// fail the others. Every other failure rejects all inputs of the statement: a lost connection (SQLSTATE class
// 08), too few resources (53), and a statement that was canceled, for example by its timeout (57).
import { type RawBuilder, sql } from 'kysely'
import { batchInputs } from '../metrics/registry.ts'
import type { Database } from './connect.ts'

/** Inputs in one statement. */
const MAX_BATCH = 100
const SECOND_STATEMENT_AT = 24
const MAX_STATEMENTS = 2

type Pending<Input, Row> = {
  input: Input
  resolve: (row: Row | undefined) => void
  reject: (error: unknown) => void
}
type Queue<Input, Row> = { pending: Pending<Input, Row>[]; statements: number }

/** `input_no`: the position of the input in the batch, from 1. */
export type BatchRow = { input_no: number }

/** `keyOf`: inputs with the same key never share a statement, for example because a statement changes a row once. */
export function batched<Input, Row extends BatchRow>(
  run: (db: Database, inputs: Input[]) => Promise<Row[]>,
  keyOf?: (input: Input) => string,
): (db: Database, input: Input) => Promise<Row | undefined> {
  const queues = new WeakMap<Database, Queue<Input, Row>>()

  async function runBatch(db: Database, batch: Pending<Input, Row>[]): Promise<void> {
    batchInputs.observe(batch.length)
    try {
      const inputs = batch.map(({ input }) => input)
      const rows = new Map((await run(db, inputs)).map((row) => [row.input_no, row]))
      batch.forEach(({ resolve }, index) => resolve(rows.get(index + 1)))
    } catch (error) {
      if (batch.length > 1 && canRetryAlone(error))
        await Promise.all(batch.map((pending) => runBatch(db, [pending])))
      else for (const { reject } of batch) reject(error)
    }
  }

  function takeBatch(queue: Queue<Input, Row>): Pending<Input, Row>[] {
    if (!keyOf) return queue.pending.splice(0, MAX_BATCH)
    const batch = new Map<string, Pending<Input, Row>>()
    const others: Pending<Input, Row>[] = []
    for (const each of queue.pending) {
      const key = keyOf(each.input)
      if (batch.size === MAX_BATCH || batch.has(key)) others.push(each)
      else batch.set(key, each)
    }
    queue.pending = others
    return [...batch.values()]
  }

  return (db, input) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(db) ?? { pending: [], statements: 0 }
      queues.set(db, queue)
      queue.pending.push({ input, resolve, reject })
      const startNext = (): void => {
        const isFullEnough = queue.pending.length >= (queue.statements ? SECOND_STATEMENT_AT : 1)
        if (queue.statements >= MAX_STATEMENTS || !isFullEnough) return
        queue.statements++
        void runBatch(db, takeBatch(queue)).finally(() => {
          queue.statements--
          // Two turns of the event loop: responses are sent, and the next requests of their clients join the
          // statement.
          setImmediate(() => setImmediate(startNext))
        })
      }
      if (queue.statements) startNext()
      else if (queue.pending.length === 1) setImmediate(startNext)
    })
}

/**
 * An error with a SQLSTATE comes from PostgreSQL, which has rolled the statement back. Exceptions: after a
 * lost connection (08) the outcome is not known, and an overloaded database (53, 57) must not get up to 100
 * more statements.
 */
const canRetryAlone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^[0-9A-Z]{5}$/.test(error.code) &&
  !/^(08|53|57)/.test(error.code)

type ElementType = 'bigint' | 'boolean' | 'float8' | 'text'

/**
 * A list as a parameter whose length the planner cannot see. Otherwise it would plan the statement again for
 * each length, which costs more than running it.
 */
export const list = (values: readonly unknown[], type: ElementType): RawBuilder<unknown> =>
  sql`(select ${values}::${sql.raw(type)}[])::${sql.raw(type)}[]`

/**
 * The FROM item `i` with one row for each HMAC of each input, since a presented value is hashed with each
 * pepper: `input_no`, `hmac`, and `columns` with their types and values. All are columns of one `unnest`,
 * because PostgreSQL would join two by comparing each row of the one with each row of the other.
 */
export function unnestHmacs<Input>(
  inputs: readonly Input[],
  hmacsOf: (input: Input) => string[],
  columns: Record<string, [type: ElementType, valueOf: (input: Input) => unknown]> = {},
): RawBuilder<unknown> {
  const forEachHmac = (valueOf: (input: Input, index: number) => unknown) =>
    inputs.flatMap((input, index) => hmacsOf(input).map(() => valueOf(input, index)))
  const inputNumbers = forEachHmac((_input, index) => index + 1)
  const lists = [
    list(inputNumbers, 'bigint'),
    list(inputs.flatMap(hmacsOf), 'text'),
    ...Object.values(columns).map(([type, valueOf]) => list(forEachHmac(valueOf), type)),
  ]
  const names = ['input_no', 'hmac', ...Object.keys(columns)]
  return sql`unnest(${sql.join(lists)}) as i (${sql.raw(names.join(', '))})`
}
