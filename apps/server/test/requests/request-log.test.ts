import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { NewFigure } from '../../src/figures/figures.sql.ts'
import { lostPartnerRequests } from '../../src/metrics/registry.ts'
import { type LoggedRequest, startRequestLog } from '../../src/requests/request-log.ts'
import { fakeDatabase } from '../kit/fake-database.ts'
import { NEW_REQUEST } from '../kit/new-request.ts'

const { ago_seconds: _, ...NEW } = NEW_REQUEST
const REQUEST: LoggedRequest = { ...NEW, isAuthenticated: true, startedAtMs: 0 }

const lost = async () => (await lostPartnerRequests.get()).values[0]?.value ?? 0

/** A log whose statements are kept, or fail. */
function prepare(insert: (rows: LoggedRequest[]) => void, figures: NewFigure[] = []) {
  const db = fakeDatabase(async ({ parameters: [json] }) => {
    insert(JSON.parse(String(json)) as LoggedRequest[])
    return []
  })
  const add = (figure: NewFigure) => void figures.push(figure)
  return startRequestLog({ db, log: pino({ level: 'silent' }) }, { add })
}

test('a full queue drops requests and counts them; those that only name a partner leave room for others', async () => {
  const before = await lost()
  const stored: LoggedRequest[] = []
  const log = prepare((rows) => stored.push(...rows))
  for (let count = 0; count < 6_000; count++)
    log.record({ ...REQUEST, secret_code: `twc_${count}`, isAuthenticated: false })
  for (let id = 1; id <= 6_000; id++) log.record({ ...REQUEST, partner_id: id })
  await log.stop()
  const named = stored.filter(({ partner_id }) => partner_id === null)
  expect([named.length, stored.length, (await lost()) - before]).toEqual([5_000, 10_000, 2_000])
})

test('of a partner that is only named, 600 requests in a minute are kept', async () => {
  const stored: LoggedRequest[] = []
  const log = prepare((rows) => stored.push(...rows))
  for (let count = 0; count < 1_000; count++)
    log.record({ ...REQUEST, secret_code: 'twc_1', isAuthenticated: false })
  log.record({ ...REQUEST, secret_code: 'twc_2', isAuthenticated: false })
  await log.stop()
  expect(stored.length).toBe(601)
})

test('a statement that fails loses its requests only, and counts them', async () => {
  const before = await lost()
  const stored: LoggedRequest[] = []
  let fails = true
  const log = prepare((rows) => {
    if (fails) throw new Error('no database')
    stored.push(...rows)
  })
  log.record(REQUEST)
  await expect.poll(async () => (await lost()) - before).toBe(1)
  fails = false
  log.record(REQUEST)
  await log.stop()
  expect(stored.length).toBe(1)
})

test('a request that the list loses is in the figures, and counted as missing; a named one is not', async () => {
  const figures: NewFigure[] = []
  const log = prepare(() => {}, figures)
  for (let count = 0; count < 10_000; count++) log.record({ ...REQUEST, partner_id: 1 })
  log.record({ ...REQUEST, partner_id: 2, status: 422, error: 'qr_value_invalid', duration_ms: 30 })
  log.record({ ...REQUEST, secret_code: 'twc_1', isAuthenticated: false })
  await log.stop()
  expect(figures.filter(({ partner_id }) => partner_id !== 1)).toMatchObject([
    { partner_id: 2, kind: 'request', outcome: 'qr_value_invalid', within_ms: 50, count: 1 },
    { partner_id: 2, kind: 'unlisted', outcome: '', within_ms: 0, count: 1 },
  ])
})

test('a statement that fails counts its requests as missing', async () => {
  const figures: NewFigure[] = []
  const log = prepare(() => {
    throw new Error('no database')
  }, figures)
  log.record({ ...REQUEST, partner_id: 1 })
  await log.stop()
  expect(figures.map(({ kind }) => kind)).toEqual(['request', 'unlisted'])
})
