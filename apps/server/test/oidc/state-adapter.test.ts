// The state of OpenID Connect when two requests store it at once, and when it was copied.
import { sql } from 'kysely'
import { errors } from 'oidc-provider'
import { afterAll, expect, test } from 'vitest'
import { createAdapter } from '../../src/oidc/state-adapter.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { mintKey, mintKeys, openKeyRing } from '../../src/secrets/open-key-ring.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { db, config } = (await startServiceForFile()).service
const { keys, close } = await openKeyRing(config, () => {})
afterAll(close)

test('of two requests that both found no use of a proof or an assertion, one stores it', async () => {
  const { upsert } = createAdapter({ db, keys }, errors, () => undefined)('ReplayDetection')
  const store = (id: string) =>
    upsert(id, {}, 60).then(
      () => 'stored',
      (error: Error) => error.name,
    )
  expect((await Promise.all([store('a'), store('a'), store('b')])).toSorted()).toEqual([
    'InvalidRequest',
    'stored',
    'stored',
  ])
})

test('content that was copied from another row is not read', async () => {
  const { upsert, find } = createAdapter({ db, keys }, errors, () => undefined)('Session')
  const hmacOf = (id: string) => keys.hmac('oidc_state', `Session ${id}`)
  for (const jti of ['own', 'other']) await upsert(jti, { jti }, 60)
  await sql`
    update oidc_state set content = (select content from oidc_state where id_hmac = ${hmacOf('other')})
     where id_hmac = ${hmacOf('own')}`.execute(db)
  expect(await find('other')).toMatchObject({ jti: 'other' })
  await expect(find('own')).rejects.toThrow('unable to authenticate')
})

test('a sign-in that waits goes on after a new pepper; a used proof stays used', async () => {
  const ringKeys = mintKeys()
  const adapterOf = (model: string) =>
    createAdapter({ db, keys: createKeyRing(() => ringKeys) }, errors, () => undefined)(model)
  await adapterOf('Interaction').upsert('open', { jti: 'open' }, 60)
  await adapterOf('ReplayDetection').upsert('used', {}, 60)
  ringKeys.push(mintKey('pepper', new Date()))
  expect(await adapterOf('Interaction').find('open')).toMatchObject({ jti: 'open' })
  expect(await adapterOf('ReplayDetection').find('used')).toBeDefined()
})
