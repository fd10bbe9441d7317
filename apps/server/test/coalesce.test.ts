// Many requests travel in one statement: none of them is to notice.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { coalesced } from '../src/database/coalesce.ts'
import type { Database } from '../src/database/connect.ts'
import { startService } from '../src/testing.ts'
import { meet } from './harness.ts'

const NOWHERE = {} as Database
const refused = (code: string) => Object.assign(new Error('refused'), { code })

/** Answers `fine` with itself; of the others, it fails as they say. */
function recorded() {
  const asked: string[][] = []
  const ask = coalesced(async (_db, questions: string[]) => {
    asked.push(questions)
    await new Promise(setImmediate)
    const fault = questions.find((question) => question !== 'fine' && question !== 'unknown')
    if (fault) throw refused(fault)
    return questions.flatMap((question, index) => (question === 'fine' ? [{ place: index + 1, question }] : []))
  })
  return { asked, ask: (question: string) => ask(NOWHERE, question) }
}

test('one that comes alone is asked at once; those that come meanwhile are asked together, and each has its own answer', async () => {
  const { asked, ask } = recorded()
  const answers = await Promise.all(['fine', 'fine', 'unknown', 'fine', 'unknown'].map(ask))
  expect(asked.map(({ length }) => length)).toEqual([1, 1, 3])
  expect(answers.map((answer) => answer?.question)).toEqual(['fine', 'fine', undefined, 'fine', undefined])
})

test('what is refused together is asked one by one: only the one at fault is refused', async () => {
  const { asked, ask } = recorded()
  const outcomes = await Promise.allSettled(['fine', 'fine', 'fine', '55P03', 'fine'].map(ask))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(asked.map(({ length }) => length)).toEqual([1, 1, 3, 1, 1, 1])
})

test.each(['57014', '53300', '08006', 'ECONNRESET'])('%s: what may have been done, or was too much, is not asked again', async (code) => {
  const { asked, ask } = recorded()
  const outcomes = await Promise.allSettled(['fine', 'fine', 'fine', code].map(ask))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect(asked.map(({ length }) => length)).toEqual([1, 1, 2])
})

test('a citizen whose row is held by somebody holds up nobody else', async () => {
  const { url, db, close } = await startService(inject('postgres'))
  const people = await meet(url)
  const [held, free] = people.citizens.slice(0, 2).map(({ token }) => ({ Authorization: `Bearer ${token}` }))
  const records = await Promise.all([held, free].map((headers) => people.pending(headers)))
  await Promise.all([people.accept(records[0]!, held), people.accept(records[1]!, free)])
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select c.id from citizen c join authorization_record r on r.citizen_id = c.id where r.tracking_no = ${records[0]} for update of c`.execute(
      tx,
    )
    expect(rows).toHaveLength(1)
    const answers = await Promise.all(
      [...Array<number>(6).fill(0), ...Array<number>(6).fill(1)].map((which) => people.inquire(records[which]!)),
    )
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(6).fill(503), ...Array<number>(6).fill(200)])
  })
  expect((await people.inquire(records[0]!)).status).toBe(200)
  await close()
})
