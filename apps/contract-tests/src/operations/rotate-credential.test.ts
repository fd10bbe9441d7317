import type { Body } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { CREDENTIAL_KINDS, createCredentialClient, DAY_SECONDS } from '../kit/credential-client.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Partner } from '../kit/users.ts'
import { startReceiver, untilReceived } from '../kit/webhook-receiver.ts'

/** A separate service, because the test moves the clock far ahead. */
const service = await startServiceForFile({})
const credentials = createCredentialClient(service)

describe.each(CREDENTIAL_KINDS)('rotateCredential', ({ kind, attempt, right, wrong }) => {
  const tries = (partner: Partner, secret: string) => credentials[attempt](partner, secret)

  test(`201: both ${kind}s work until the grace period ends, then only the new one`, async () => {
    const partner = await service.partner()
    const old = partner.credentials[kind]
    const { secret, credential } = await credentials.rotate(partner, 7, kind)
    expect(credential.kind).toBe(kind)
    expect([await tries(partner, old), await tries(partner, secret)]).toEqual([right, right])
    await service.advance(7 * DAY_SECONDS + 1)
    expect([await tries(partner, old), await tries(partner, secret)]).toEqual([wrong, right])
    expect(await service.dumpDatabase()).not.toContain(secret)
  })

  test(`201: without a grace period the old ${kind} ends at once; a third one ends the first`, async () => {
    const partner = await service.partner()
    const first = await credentials.rotate(partner, 0, kind)
    expect([await tries(partner, partner.credentials[kind]), await tries(partner, first.secret)]).toEqual([
      wrong,
      right,
    ])
    const second = await credentials.rotate(partner, 7, kind)
    const third = await credentials.rotate(partner, 7, kind)
    expect([
      await tries(partner, first.secret),
      await tries(partner, second.secret),
      await tries(partner, third.secret),
    ]).toEqual([wrong, right, right])
    expect(await credentials.statusesOf(partner, kind)).toEqual(['ACTIVE', 'ACTIVE', 'EXPIRED', 'EXPIRED'])
  })
})

describe('rotateCredential', () => {
  test('201: after many simultaneous rotations two secrets are active', async () => {
    const partner = await service.partner()
    const rotated = await Promise.all(Array.from({ length: 8 }, () => credentials.rotate(partner, 7)))
    const statuses = await credentials.statusesOf(partner)
    expect(statuses.filter((status) => status === 'ACTIVE')).toHaveLength(2)
    const responses = await Promise.all(rotated.map(({ secret }) => credentials.tryToken(partner, secret)))
    expect(responses.filter((status) => status === 404)).toHaveLength(2)
  })

  test('201: a grace period never extends a secret, and the other kind is not changed', async () => {
    const partner = await service.partner()
    const before = (await credentials.list(partner)).find(({ kind }) => kind === 'partner_secret')
    await service.advance(360 * DAY_SECONDS)
    const { credential } = await credentials.rotate(partner, 30)
    const [, old] = (await credentials.list(partner)).filter(({ kind }) => kind === 'secret_token')
    expect(old!.expires_at).toBe(partner.credentials.expires_at)
    expect(Date.parse(credential.expires_at) - Date.parse(credential.created_at)).toBe(
      365 * DAY_SECONDS * 1_000,
    )
    expect((await credentials.list(partner)).find(({ kind }) => kind === 'partner_secret')).toEqual(before)
  })

  test('201: a rotated secret and its new successor cause no expiry reminder', async () => {
    const receiver = await startReceiver()
    const partner = await service.partner({ callback_url: receiver.url })
    await service.advance(330 * DAY_SECONDS)
    await credentials.rotate(partner, 30)
    await service.advance(6 * DAY_SECONDS)
    const [received] = await untilReceived(receiver, 1)
    expect(received!.event.data).toMatchObject({ credential: 'partner_secret' })
    await service.advance(DAY_SECONDS)
    expect(receiver.received).toHaveLength(1)
    await receiver.close()
  })

  test('201: the audit names the operator, without the secret', async () => {
    const partner = await service.partner()
    const { credential } = await credentials.rotate(partner, 7)
    await credentials.revoke(partner, credential.id)
    const rows = (await service.dumpDatabase())
      .split('\n')
      .filter((row) => row.includes(credential.id) && row.includes('sandbox-operator'))
    expect(rows.map((row) => /credential\.\w+/.exec(row)![0])).toEqual([
      'credential.rotated',
      'credential.revoked',
    ])
  })

  test.each([
    ['grace_days', { kind: 'secret_token', grace_days: 31 }],
    ['kind', { kind: 'webhook_secret', grace_days: 7 }],
  ])('422: the error names %s, and the secrets are not changed', async (field, body) => {
    const partner = await service.partner()
    const request = service.operator('rotateCredential', {
      path: { partner_code: partner.code },
      body: body as Body<'rotateCredential'>,
    })
    expect(Object.keys((await refusal(request)).fields)).toEqual([field])
    expect(await credentials.statusesOf(partner)).toEqual(['ACTIVE'])
  })
})
