// What `prepareStatements` asks of pg, with a client that answers at once.
import type pg from 'pg'
import { expect, test } from 'vitest'
import { prepareStatements } from '../../src/database/connection.ts'

type Callback = (error: Error | null, result: unknown) => void
type Query = (text: string, values: unknown[]) => Promise<unknown>

/** The client, and the times that it has reported. */
function prepare(error: Error | null) {
  const client = {
    query(statement: object, callback: Callback): void {
      callback(error, statement)
    },
  }
  const durations: number[] = []
  const limits = { timeoutMs: undefined, canPrepare: true }
  prepareStatements(client as unknown as pg.PoolClient, limits, (ms) => void durations.push(ms))
  return { query: client.query.bind(client) as unknown as Query, durations }
}

test('pg gets a callback, since a promise of pg keeps objects in memory', async () => {
  const { query, durations } = prepare(null)
  expect(await query('select $1', [1])).toMatchObject({ text: 'select $1', values: [1] })
  expect(durations).toEqual([expect.any(Number)])
})

test('an error of PostgreSQL rejects the statement, and its duration counts', async () => {
  const { query, durations } = prepare(new Error('refused'))
  await expect(query('select $1', [1])).rejects.toThrow('refused')
  expect(durations).toEqual([expect.any(Number)])
})
