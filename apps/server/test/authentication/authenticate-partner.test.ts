// When a partner that was authenticated may be cached, and how its secret moves to the current pepper.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { authenticatePartner, findKnownPartner } from '../../src/authentication/authenticate-partner.ts'
import type { Service } from '../../src/operation.ts'
import { secretPrefix } from '../../src/partners/credentials/credential.ts'
import { createKeyRing, type KeyRing } from '../../src/secrets/key-ring.ts'
import { mintKey, mintKeys } from '../../src/secrets/open-key-ring.ts'
import { mintSecret } from '../../src/secrets/tokens.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const oldRing = mintKeys()
const newRing = [...oldRing, mintKey('pepper', new Date(1_000))]
const [oldKeys, keys] = [createKeyRing(() => oldRing), createKeyRing(() => newRing)]

/** A new secret of the sandbox partner. */
async function createSecret(hashedBy: KeyRing, isUsedToday: boolean) {
  const secret = mintSecret(secretPrefix('sandbox', 'secret_token'))
  const hmac = hashedBy.hmac('secret_token', secret)
  const today = sql`(clock_now() at time zone ${service.config.timeZone})::date`
  const { rows } = await sql<{ id: number }>`
    insert into credential (partner_id, kind, hmac, expires_at, last_used_on)
    select id, 'secret_token', ${hmac}, '9999-12-31', ${isUsedToday ? today : sql`null`}
      from partner where secret_code = ${api.partner.secret_code} returning id`.execute(service.db)
  const { id } = rows[0]!
  const set = vi.fn<Service['partnerCache']['set']>()
  const get = vi.fn<Service['partnerCache']['get']>()
  const partnerCache = { get, set, invalidate: () => {} }
  const own = { db: service.db, config: service.config, log: undefined, keys, partnerCache }
  const presented = { kind: 'secret_token', code: api.partner.secret_code, secret } as const
  const authenticate = () => authenticatePartner(own as unknown as Service, presented, () => {})
  const find = () => findKnownPartner(own as unknown as Service, presented)
  const stored = async () => {
    const query = sql<{ hmac: string; is_used: boolean }>`
      select hmac, last_used_on is not null as is_used from credential where id = ${id}`
    return (await query.execute(service.db)).rows[0]!
  }
  return { id, secret, get, set, authenticate, find, stored }
}

test('a cache entry has the time at which its query was sent, so that a later change ends it', async () => {
  const { set, authenticate } = await createSecret(keys, true)
  const authenticating = authenticate()
  const sentAtMs = performance.now()
  await authenticating
  expect(set).toHaveBeenCalledOnce()
  expect(set.mock.calls[0]![2]).toBeLessThanOrEqual(sentAtMs)
})

test('a secret is known, but not current, before its use of the day is recorded', async () => {
  const { set, authenticate, stored } = await createSecret(keys, false)
  await authenticate()
  expect(set.mock.calls.map(([, , queriedAtMs]) => queriedAtMs)).toEqual([-Infinity])
  await expect.poll(async () => (await stored()).is_used).toBe(true)
  await authenticate()
  expect(set.mock.calls[1]![2]).toBeGreaterThan(0)
})

test('a secret hashed with an old pepper is hashed with the current one, and then current', async () => {
  const { secret, set, authenticate, stored } = await createSecret(oldKeys, true)
  await authenticate()
  expect(set.mock.calls.map(([, , queriedAtMs]) => queriedAtMs)).toEqual([-Infinity])
  expect((await stored()).hmac).toBe(keys.hmac('secret_token', secret))
  await authenticate()
  expect(set.mock.calls[1]![2]).toBeGreaterThan(0)
})

test('a cached partner has the credential that the request presents, not the newest one', async () => {
  const [older, newer] = [await createSecret(keys, true), await createSecret(keys, true)]
  expect((await older.authenticate()).credential_id).toBe(older.id)
  const entry = older.set.mock.calls[0]![1]
  for (const isCurrent of [true, false])
    for (const { id, get, find } of [older, newer]) {
      get.mockReturnValue({ entry, isCurrent })
      expect(find()).toMatchObject({ partner: { credential_id: id }, isCurrent })
    }
})

test('a secret that is not in the cache is not known, and the database decides about each', async () => {
  const [cached, other] = [await createSecret(keys, true), await createSecret(keys, true)]
  await sql`update credential set revoked_at = clock_now() where id = ${other.id}`.execute(service.db)
  await cached.authenticate()
  for (const { get } of [cached, other])
    get.mockReturnValue({ entry: cached.set.mock.calls[0]![1], isCurrent: true })
  expect(other.find()).toBeUndefined()
  await expect(other.authenticate()).rejects.toMatchObject({ code: 'credentials_invalid' })
  expect(other.set).not.toHaveBeenCalled()
  await sql`update credential set revoked_at = clock_now() where id = ${cached.id}`.execute(service.db)
  expect(cached.find()).toMatchObject({ partner: { credential_id: cached.id } })
  await expect(cached.authenticate()).rejects.toMatchObject({ code: 'credentials_invalid' })
})
