import { createPartner } from '@tiwala/kit/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listCallbackUrls } from '../../src/partners/set-callback/set-callback.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()

const [one, other] = ['https://partner.example/events', 'https://other.example/events']
const listed = async () => (await listCallbackUrls(service.db, 100)).toSorted()

test('listCallbackUrls lists each URL of an active partner once', async () => {
  await sql`update partner set callback_url = null`.execute(service.db)
  const register = (partner_code: string, callback_url?: string) =>
    createPartner(api.operator, { partner_code, scopes: [], ...(callback_url && { callback_url }) })
  await register('FIRST', one)
  await register('SECOND', one)
  await register('WITHOUT')
  expect(await listed()).toEqual([one])
  await register('THIRD', other)
  expect(await listed()).toEqual([other, one])
  expect(await listCallbackUrls(service.db, 1)).toHaveLength(1)
  await sql`update partner set status = 'SUSPENDED' where partner_code = 'THIRD'`.execute(service.db)
  expect(await listed()).toEqual([one])
})
