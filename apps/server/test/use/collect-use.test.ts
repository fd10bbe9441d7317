import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { clientOf, collectUse, type UsedRequest } from '../../src/use/collect-use.ts'
import type { NewUse } from '../../src/use/use.sql.ts'
import { fakeDatabase } from '../kit/fake-database.ts'

const REQUEST: UsedRequest = {
  operation: 'generateToken',
  scope: 'SSO_AUTHENTICATION',
  mediaType: 'application/json',
  userAgent: 'tiwala-client/1.1.0',
  query: {},
  body: { partner_code: 'HOTEL', code_verifier: 'x' },
  hasHeader: () => false,
}

function prepare(insert: (uses: NewUse[]) => void) {
  let onGap = () => {}
  const db = fakeDatabase(async ({ parameters: [json] }) => {
    insert(JSON.parse(String(json)) as NewUse[])
    return []
  })
  const notifications = {
    onGap: (listener: () => void) => ((onGap = listener), () => void (onGap = () => {})),
  }
  return {
    ...collectUse({ db, log: pino({ level: 'silent' }), notifications }),
    missNotifications: () => onGap(),
  }
}

test('what a partner sends again causes no statement, until a notification may have been missed', async () => {
  const statements: NewUse[][] = []
  const { add, write, missNotifications, stop } = prepare((uses) => statements.push(uses))
  add(1, REQUEST)
  add(1, REQUEST)
  expect(await write()).toBe(false)
  expect(statements.map((uses) => uses.map(({ kind, name }) => [kind, name]))).toEqual([
    [
      ['operation', 'generateToken'],
      ['scope', 'SSO_AUTHENTICATION'],
      ['media_type', 'application/json'],
      ['client', 'tiwala-client/1.1.0'],
      ['field', 'generateToken.code_verifier'],
    ],
  ])
  add(1, REQUEST)
  await write()
  expect(statements.length).toBe(1)
  add(2, { ...REQUEST, mediaType: undefined, scope: null, body: undefined })
  await write()
  expect(statements[1]).toEqual([
    { partner_id: 2, kind: 'operation', name: 'generateToken' },
    { partner_id: 2, kind: 'client', name: 'tiwala-client/1.1.0' },
  ])
  missNotifications()
  add(1, REQUEST)
  await write()
  expect(statements[2]).toEqual(statements[0])
  await stop()
  missNotifications()
  add(1, REQUEST)
  expect([await write(), statements.length]).toEqual([false, 3])
})

test('what a partner sends again in the next hour is stored again, since it may be another day', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-05-01T23:59:59Z') })
  onTestFinished(() => void vi.useRealTimers())
  const statements: NewUse[][] = []
  const { add, write } = prepare((uses) => statements.push(uses))
  for (const time of ['2030-05-01T23:59:59Z', '2030-05-02T00:00:00Z', '2030-05-02T00:59:59Z']) {
    vi.setSystemTime(Date.parse(time))
    add(1, REQUEST)
    await write()
  }
  expect(statements).toEqual([statements[0], statements[0]])
})

test('optional parameters and headers of the document count if they are sent, required ones never', async () => {
  const stored: NewUse[] = []
  const { add, write } = prepare((uses) => stored.push(...uses))
  const hasHeader = (name: string) => ['Prefer', 'traceparent'].includes(name)
  add(1, { ...REQUEST, operation: 'inquire', query: { tracking_no: 'x' }, hasHeader })
  add(1, { ...REQUEST, operation: 'listRecords', query: { cursor: 'x', unknown: 'x' } })
  await write()
  expect(stored.flatMap(({ kind, name }) => (kind === 'field' ? [name] : []))).toEqual([
    'inquire.Prefer',
    'listRecords.cursor',
  ])
})

test('what a failed statement had comes again with the next request', async () => {
  const stored: NewUse[] = []
  let fails = true
  const { add, write } = prepare((uses) => {
    if (fails) throw new Error('no database')
    stored.push(...uses)
  })
  add(1, REQUEST)
  expect(await write()).toBe(false)
  fails = false
  add(1, REQUEST)
  await write()
  expect(stored.length).toBe(5)
})

test('the clients of one partner take bounded memory, and hide nothing else of it or of another partner', async () => {
  const stored: NewUse[] = []
  const { add, write } = prepare((uses) => stored.push(...uses))
  for (let count = 0; count < 10_000; count++) add(1, { ...REQUEST, userAgent: `tiwala-client/${count}` })
  add(1, { ...REQUEST, operation: 'inquire' })
  add(2, REQUEST)
  while (await write());
  const countOf = (id: number, kind: string) =>
    stored.filter((use) => use.partner_id === id && use.kind === kind).length
  expect([1, 2].map((id) => [countOf(id, 'client'), countOf(id, 'operation')])).toEqual([
    [200, 2],
    [1, 1],
  ])
})

test.each([
  ['tiwala-client/1.1.0', 'tiwala-client/1.1.0'],
  ['tiwala-client/1.1.0 (typescript) node/24', 'tiwala-client/1.1.0 (typescript)'],
  ['tiwala-client/1.1.0 (\u202Etxt)', 'tiwala-client/1.1.0'],
  ['axios/1.7.2', 'axios'],
  ['python-requests/2.32 (x)', 'python-requests'],
  ['node', 'node'],
  ['<script>/1', 'other'],
  [`${'a'.repeat(41)}/1`, 'other'],
  ['a\u0000b', 'other'],
  ['', 'none'],
  [undefined, 'none'],
])('the client of %j is %s', (userAgent, name) => {
  expect(clientOf(userAgent)).toBe(name)
})
