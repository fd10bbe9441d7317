// Many requests travel in one statement: none of them is to notice.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { batched } from '../../src/database/batch.ts'
import type { Database } from '../../src/database/connect.ts'
import { startService } from '../../src/testing/start-service.ts'
import { meet } from '../kit/api-client.ts'

const NOWHERE = {} as Database
const refused = (code: string) => Object.assign(new Error('refused'), { code })

/** Of the event loop. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Answers `fine` with itself; of the others, it fails as they say. */
function recorded() {
  const asked: string[][] = []
  const gate = { open: () => {}, hold: () => void (opened = new Promise((resolve) => (gate.open = resolve))) }
  let opened = Promise.resolve()
  const ask = batched(async (_db, questions: string[]) => {
    asked.push(questions)
    await opened
    await turn()
    const fault = questions.find((question) => question !== 'fine' && question !== 'unknown')
    if (fault) throw refused(fault)
    return questions.flatMap((question, index) => (question === 'fine' ? [{ place: index + 1, question }] : []))
  })
  return { asked, gate, ask: (question: string) => ask(NOWHERE, question) }
}

test('those that come in one turn, or while a statement is under way, are asked together, and each has its own answer', async () => {
  const { asked, ask } = recorded()
  const first = ['fine', 'unknown'].map(ask)
  await turn()
  const answers = await Promise.all([...first, ...['fine', 'unknown', 'fine'].map(ask)])
  expect(asked.map(({ length }) => length)).toEqual([2, 3])
  expect(answers.map((answer) => answer?.question)).toEqual(['fine', undefined, 'fine', undefined, 'fine'])
})

test('beside a statement that takes its time another goes out once many wait, and a third one never', async () => {
  const { asked, ask, gate } = recorded()
  gate.hold()
  const waiting = [ask('fine')]
  await turn()
  for (let count = 1; count <= 120; count++) waiting.push(ask('fine'))
  expect(asked.map(({ length }) => length)).toEqual([1, 24])
  gate.open()
  await Promise.all(waiting)
  expect(asked.map(({ length }) => length)).toEqual([1, 24, 96])
})

test('what is refused together is asked one by one: only the one at fault is refused', async () => {
  const { asked, ask } = recorded()
  const outcomes = await Promise.allSettled(['fine', 'fine', 'fine', '55P03', 'fine'].map(ask))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(asked.map(({ length }) => length)).toEqual([5, 1, 1, 1, 1, 1])
})

test.each(['57014', '53300', '08006', 'ECONNRESET'])('%s: what may have been done, or was too much, is not asked again', async (code) => {
  const { asked, ask } = recorded()
  const outcomes = await Promise.allSettled(['fine', code].map(ask))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(asked.map(({ length }) => length)).toEqual([2])
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
