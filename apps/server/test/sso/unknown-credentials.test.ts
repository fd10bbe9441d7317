import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { refusalOf, startServiceForFile } from '../kit/api-client.ts'

test('422: a malformed exchange code is refused without a query', async () => {
  const { service, api } = await startServiceForFile()
  const holder = await service.db.startTransaction().execute()
  await sql`lock table exchange_code in access exclusive mode`.execute(holder)
  const refusal = await refusalOf(api.redeemExchangeCode('malformed'))
  await holder.rollback().execute()
  expect(refusal).toBe('422 exchange_code_invalid')
})

test('401: an access token whose row is no longer kept', async () => {
  const { service, api } = await startServiceForFile()
  const token = await api.issueAccessToken()
  await sql`delete from access_token`.execute(service.db)
  expect(await refusalOf(api.signIn(token))).toBe('401 token_invalid')
})
