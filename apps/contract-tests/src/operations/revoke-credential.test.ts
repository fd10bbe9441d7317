import { describe, expect, test } from 'vitest'
import { createCredentialClient } from '../kit/credential-client.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

/** A separate service, because the test moves the clock far ahead. */
const service = await startServiceForFile({})
const credentials = createCredentialClient(service)

describe('revokeCredential', () => {
  test('200: the credential is refused from the next request on; a repetition changes nothing', async () => {
    const partner = await service.partner()
    const { secret } = await credentials.rotate(partner, 7)
    const [, old] = (await credentials.list(partner)).filter(({ kind }) => kind === 'secret_token')
    const revoked = await credentials.revoke(partner, old!.id)
    expect(revoked).toMatchObject({ ...old, status: 'REVOKED', revoked_at: expect.any(String) })
    expect([
      await credentials.tryToken(partner, partner.credentials.secret_token),
      await credentials.tryToken(partner, secret),
    ]).toEqual([401, 404])
    await service.advance(60)
    expect(await credentials.revoke(partner, old!.id)).toEqual(revoked)
  })

  test("404: an unknown credential, and another partner's credential, which is not changed", async () => {
    const [partner, other] = [await service.partner(), await service.partner()]
    const [foreign] = await credentials.list(other)
    for (const id of ['crd_unknown', foreign!.id])
      expect((await refusal(credentials.revoke(partner, id))).code).toBe('not_found')
    expect((await credentials.list(other))[0]!.status).toBe('ACTIVE')
  })
})
