// The secrets of a partner, in the hands of its own people.
import { describe, expect, test } from 'vitest'
import { createCredentialClient, DAY_SECONDS } from '../kit/credential-client.ts'
import { callWorkbench } from '../kit/member.ts'
import { startServiceForFile } from '../kit/test-service.ts'

/** A separate service, because the test moves the clock. */
const service = await startServiceForFile({})
const { tryToken, list } = createCredentialClient(service)

async function prepare() {
  const partner = await service.partner()
  const { headers } = await service.signIn(partner.code)
  const call = callWorkbench(service.url, headers)
  const rotate = (grace_days: number, key = '') =>
    call('rotateOwnCredential', {
      body: { kind: 'secret_token', grace_days },
      ...(key && { headers: { 'Idempotency-Key': key } }),
    })
  const tokens = async () =>
    (await call('listOwnCredentials')).body.credentials.filter(({ kind }) => kind === 'secret_token')
  return { partner, call, rotate, tokens }
}

describe('rotateOwnCredential', () => {
  test('201: both secrets work until the grace period ends, and the older one is superseded', async () => {
    const { partner, rotate, tokens } = await prepare()
    const old = partner.credentials.secret_token
    const { status, body } = await rotate(7)
    expect([status, await tryToken(partner, old), await tryToken(partner, body.secret)]).toEqual([
      201, 404, 404,
    ])
    const [newest, older] = await tokens()
    expect([newest!.is_superseded, older!.is_superseded]).toEqual([false, true])
    expect(Date.parse(older!.expires_at) - Date.parse(newest!.created_at)).toBeCloseTo(
      7 * DAY_SECONDS * 1_000,
      -4,
    )
    // Administrators see the same.
    expect((await list(partner)).filter(({ kind }) => kind === 'secret_token')).toEqual(await tokens())
    await service.advance(7 * DAY_SECONDS + 1)
    expect([await tryToken(partner, old), await tryToken(partner, body.secret)]).toEqual([401, 404])
  })

  test('201: with the same Idempotency-Key, only the same member gets the same secret', async () => {
    const { partner, rotate, tokens } = await prepare()
    const key = 'a-key-of-a-member'
    const secrets = [(await rotate(7, key)).body.secret, (await rotate(7, key)).body.secret]
    expect([secrets[1], (await tokens()).length]).toEqual([secrets[0], 2])
    const { headers } = await service.signIn(partner.code)
    const other = await callWorkbench(service.url, headers)('rotateOwnCredential', {
      body: { kind: 'secret_token', grace_days: 7 },
      headers: { 'Idempotency-Key': key },
    })
    expect([other.status, secrets.includes(other.body.secret)]).toEqual([201, false])
  })

  test('422: the key of another rotation', async () => {
    const { rotate } = await prepare()
    await rotate(7, 'a-key-of-a-rotation')
    expect(await rotate(0, 'a-key-of-a-rotation')).toMatchObject({
      status: 422,
      body: { error: 'idempotency_key_reused' },
    })
  })
})

describe('revokeOwnCredential', () => {
  test('200: the secret ends at once, and its successor is no longer superseded by it', async () => {
    const { partner, rotate, tokens, call } = await prepare()
    const { body } = await rotate(7)
    const path = { credential_id: body.credential.id }
    expect((await call('revokeOwnCredential', { path })).body.status).toBe('REVOKED')
    expect([
      await tryToken(partner, body.secret),
      await tryToken(partner, partner.credentials.secret_token),
    ]).toEqual([401, 404])
    expect((await tokens()).map(({ is_superseded }) => is_superseded)).toEqual([false, false])
  })
})
