// The page of a sandbox shows the newest of its requests and deliveries, however many there are.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertRequests } from '../../src/requests/requests.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { writeEvents } from '../kit/bulk-events.ts'
import { NEW_REQUEST } from '../kit/new-request.ts'

const { service } = await startServiceForFile()
const { db, url } = service

test('200: the newest 100 requests and the newest 20 deliveries', async () => {
  const created = await fetch(`${url}/sandbox`, { method: 'POST' })
  const { sandbox_id } = (await created.json()) as { sandbox_id: string }
  const { rows } = await sql<{ id: number; partner_code: string }>`
    select p.id, p.partner_code from partner p join sandbox s on s.partner_id = p.id
     where s.sandbox_id = ${sandbox_id}`.execute(db)
  const { id: partner_id, partner_code } = rows[0]!
  await writeEvents(db, [partner_code], 30)
  await insertRequests(
    db,
    Array.from({ length: 130 }, (_, index) => ({
      ...NEW_REQUEST,
      request_id: `req_${index}`,
      partner_id,
      ago_seconds: index,
    })),
  )
  const list = async (name: string) => {
    const response = await fetch(`${url}/sandbox/${sandbox_id}/${name}`)
    return ((await response.json()) as Record<string, { request_id: string }[]>)[name]!
  }
  const requests = await list('requests')
  expect([requests.length, requests[0]?.request_id]).toEqual([100, 'req_0'])
  expect(await list('deliveries')).toHaveLength(20)
})
