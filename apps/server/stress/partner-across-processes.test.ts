import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startService } from '../src/testing/start-service.ts'
import { createApiClient } from '../test/kit/api-client.ts'
import { settingsOf } from '../test/kit/database-url.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'

const POLLING = { timeout: 5_000, interval: 50 }
/** The lifetime of a cached partner: a change takes effect in every process within one second. */
const withinASecond = { timeout: 1_000, interval: 20 }

/** Two processes over one database. The administrator changes the partner through the first. */
async function startTwo() {
  const { url, db, config, close } = await startService(inject('postgres'))
  const other = await startReadyProcess(await settingsOf({ db, config }))
  const [here, there] = [await createApiClient(url), await createApiClient(other.url)]
  const path = { partner_code: here.partner.partner_code }
  const stop = async () => {
    await other[Symbol.asyncDispose]()
    await close()
  }
  return {
    here,
    there,
    change: (json: object) => here.send('changePartner', { headers: here.asOperator, path, json }),
    credentials: async () =>
      (await (await here.send('listCredentials', { headers: here.asOperator, path })).json()) as {
        credentials: { id: string; kind: string }[]
      },
    revoke: (credential_id: string) =>
      here.send('revokeCredential', { headers: here.asOperator, path: { ...path, credential_id } }),
    used: async () =>
      (await sql<{ used: number }>`select coalesce(sum(used), 0)::int as used from partner_usage`.execute(db))
        .rows[0]!.used,
    [Symbol.asyncDispose]: stop,
  }
}

test('allow-list, quota and revocation take effect in other processes within a second', async () => {
  await using two = await startTwo()
  const { here, there } = two

  await two.change({ ip_allow_list: ['203.0.113.7'] })
  const statusThere = async () => (await there.inquire('unknown')).status
  await expect.poll(statusThere, withinASecond).toBe(403)
  await two.change({ ip_allow_list: [] })
  await expect.poll(statusThere, withinASecond).toBe(404)

  await two.change({ limits: { per_day: 3 } })
  const quotaThere = async () =>
    (
      (await (await there.send('readPartnerSelf', { headers: there.asPartner })).json()) as {
        data: Schemas['PartnerSelf']
      }
    ).data.limits.per_day
  await expect.poll(quotaThere, withinASecond).toBe(3)
  for (const { status } of [
    await here.request(await here.issueQrValue('inquire')),
    await there.request(await here.issueQrValue('inquire')),
  ])
    expect(status).toBe(200)
  await expect.poll(two.used, POLLING).toBe(2)
  const statuses = [
    (await here.request(await here.issueQrValue('inquire'))).status,
    (await here.request(await here.issueQrValue('inquire'))).status,
  ]
  expect(statuses).toEqual([200, 429])
  await expect.poll(two.used, POLLING).toBe(3)
  expect((await there.request(await here.issueQrValue('inquire'))).status).toBe(429)

  const { credentials } = await two.credentials()
  await two.revoke(credentials.find(({ kind }) => kind === 'secret_token')!.id)
  expect((await here.inquire('unknown')).status).toBe(401)
  await expect.poll(statusThere, withinASecond).toBe(401)
})
