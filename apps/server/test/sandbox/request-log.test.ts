import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Service } from '../../src/operation.ts'
import { startRequestLog } from '../../src/sandbox/request-log.ts'
import { fakeDatabase } from '../kit/fake-database.ts'

test('requests that only name a partner leave room in the queue for those that authenticated', async () => {
  const stored: { partner_id: number | null }[] = []
  const db = fakeDatabase(async ({ parameters: [json] }) => {
    stored.push(...(JSON.parse(String(json)) as typeof stored))
    return []
  })
  const log = startRequestLog({ db, log: pino({ level: 'silent' }) } as unknown as Service)
  const request = (code: string, caller?: { id: number }) => {
    const exchange = { requestId: 'req_test', caller }
    const req = { get: (name: string) => (name === 'x-secret-code' ? code : undefined), exchange }
    const res = Object.assign(new EventEmitter(), { locals: {}, statusCode: 200 })
    void log.record(req as unknown as Request, res as unknown as Response, () => {})
    res.emit('finish')
  }
  for (let count = 0; count < 2_000; count++) request(`twc_${String(count).padStart(20, '0')}`)
  for (let id = 1; id <= 2_000; id++) request('', { id })
  await log.stop()
  const named = stored.filter(({ partner_id }) => partner_id === null)
  expect([named.length, stored.length]).toEqual([500, 1_000])
})
