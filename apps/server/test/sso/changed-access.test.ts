// The access of a partner changes while its access token is being used up, and a code is sent again.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { encryptCitizen } from '../../src/citizens/citizen-encryption.ts'
import { Failure } from '../../src/failure.ts'
import type { Service } from '../../src/operation.ts'
import { sandboxCitizens } from '../../src/sandbox/citizens.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import type { AuthenticatedToken } from '../../src/sso/authenticate/authenticate.sql.ts'
import { authenticate } from '../../src/sso/authenticate/authenticate.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const ringKeys = mintKeys()
const keys = createKeyRing(() => ringKeys)
const loaded = encryptCitizen(keys, undefined, sandboxCitizens(service.config.publicUrl)[0]!)

/** Uses up a new token. `versions`: of the partner's access, as authenticated first and again. */
async function useToken(
  versions: [first: number, again: number],
  scopes: AuthenticatedToken['scopes'],
  beforeCommit: (id: number) => Promise<unknown> = async () => {},
) {
  await api.issueAccessToken()
  const { rows } = await sql<{ id: number; hmac: string; access_version: number }>`
    select t.id, t.hmac, p.access_version from access_token t join partner p on p.id = t.partner_id
     order by t.id desc limit 1`.execute(service.db)
  const { id, hmac, access_version } = rows[0]!
  const callerWith = (offset: number) =>
    ({ tokenHmacs: [hmac], access_version: access_version + offset, scopes }) as AuthenticatedToken
  const call = {
    caller: callerWith(versions[0]),
    loaded,
    reauthenticate: async () => callerWith(versions[1]),
    requestId: `req_${id}`,
    traceparent: null,
  } as unknown as Parameters<typeof authenticate>[1]
  const reply = await authenticate({ db: service.db, keys } as Service, call)
  await beforeCommit(id)
  const outcome = await reply.commit!(service.db).then(
    () => 'committed',
    (error: unknown) =>
      error instanceof Failure ? [error.code, error.headers['Retry-After']] : Promise.reject(error as Error),
  )
  const isUsed = (await service.countRows(`access_token where id = ${id} and used_at is not null`))[0] === 1
  return { outcome, isUsed }
}

describe('a token whose partner has changed since it was authenticated', () => {
  test('200: is used up for the partner as it is now', async () => {
    expect(await useToken([-1, 0], ['SSO_AUTHENTICATION'])).toEqual({ outcome: 'committed', isUsed: true })
  })

  test('403: is refused and not used up if the partner has lost the scope', async () => {
    const refused = { outcome: ['scope_not_granted', undefined], isUsed: false }
    expect(await useToken([-1, 0], ['PROFILE_VIEW'])).toEqual(refused)
  })

  test('503: is refused and not used up if the partner has changed once more', async () => {
    const refused = { outcome: ['unavailable', '1'], isUsed: false }
    expect(await useToken([-2, -1], ['SSO_AUTHENTICATION'])).toEqual(refused)
  })
})

test('503: a token that another request has used up meanwhile gives no profile', async () => {
  const use = (id: number) =>
    sql`update access_token set used_at = clock_now() where id = ${id}`.execute(service.db)
  const refused = { outcome: ['unavailable', '1'], isUsed: true }
  expect(await useToken([0, 0], ['SSO_AUTHENTICATION'], use)).toEqual(refused)
})

test('500: a code is sent again, and the token that it gave cannot be revoked', async () => {
  const code = await api.issueExchangeCode()
  expect((await api.redeemExchangeCode(code)).status).toBe(200)
  await service.advance(2)
  const constraint = `check (kind <> 'code.reused') not valid`
  await sql`alter table audit_event add constraint refuse ${sql.raw(constraint)}`.execute(service.db)
  expect((await api.redeemExchangeCode(code)).status).toBe(500)
  await sql`alter table audit_event drop constraint refuse`.execute(service.db)
  expect((await api.redeemExchangeCode(code)).status).toBe(422)
})
