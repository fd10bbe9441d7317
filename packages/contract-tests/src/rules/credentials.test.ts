import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CREDENTIAL_KINDS, credentialsOf, DAY_SECONDS } from '../harness/credentials.ts'
import { type Partner, refusal, startWorld, type World } from '../harness/world.ts'

/** Of its own: the clock goes far. */
let world: World
let credentials: ReturnType<typeof credentialsOf>
beforeAll(async () => {
  world = await startWorld({})
  credentials = credentialsOf(world)
})
afterAll(() => world.close())

const soon = { timeout: 60_000, interval: 20 }

describe('listCredentials', () => {
  test('200: newest first, with the day of the last use, and never a secret or a hash', async () => {
    const partner = await world.partner()
    expect(await credentials.list(partner)).toMatchObject([
      { status: 'ACTIVE', revoked_at: null, last_used_on: null },
      { status: 'ACTIVE', revoked_at: null, last_used_on: null },
    ])
    const { secret, credential } = await credentials.rotate(partner, 7)
    const [newest, ...others] = await credentials.list(partner)
    expect(newest).toEqual(credential)
    expect(others).toHaveLength(2)
    const said = JSON.stringify([newest, ...others])
    for (const word of [secret, partner.credentials.secret_token, partner.credentials.partner_secret]) expect(said).not.toContain(word)
    expect(Object.keys(newest!)).toEqual(['id', 'kind', 'status', 'created_at', 'expires_at', 'revoked_at', 'last_used_on'])
  })

  test('200: the last day is that of Manila, of the secret that was used, and moves on with the next', async () => {
    const partner = await world.partner()
    const used = async () => (await credentials.list(partner)).find(({ kind }) => kind === 'secret_token')!.last_used_on
    const today = async () => {
      const { created_at } = (await credentials.rotate(await world.partner(), 0)).credential
      return new Date(Date.parse(created_at) + 8 * 3_600_000).toISOString().slice(0, 10)
    }
    await credentials.tryToken(partner, partner.credentials.secret_token)
    await expect.poll(used, soon).toBe(await today())
    await world.advance(2 * DAY_SECONDS)
    await Promise.all(Array.from({ length: 10 }, () => credentials.tryToken(partner, partner.credentials.secret_token)))
    await expect.poll(used, soon).toBe(await today())
    expect((await credentials.list(partner)).find(({ kind }) => kind === 'partner_secret')!.last_used_on).toBeNull()
  })

  test('404: no such partner', async () => {
    expect((await refusal(world.operator('listCredentials', { path: { partner_code: 'NOBODY' } }))).code).toBe('not_found')
  })
})

describe('revokeCredential', () => {
  test('200: refused from the next request on; again, nothing changes', async () => {
    const partner = await world.partner()
    const { secret } = await credentials.rotate(partner, 7)
    const [, old] = (await credentials.list(partner)).filter(({ kind }) => kind === 'secret_token')
    const revoked = await credentials.revoke(partner, old!.id)
    expect(revoked).toMatchObject({ ...old, status: 'REVOKED', revoked_at: expect.any(String) })
    expect([await credentials.tryToken(partner, partner.credentials.secret_token), await credentials.tryToken(partner, secret)]).toEqual([
      401, 404,
    ])
    await world.advance(60)
    expect(await credentials.revoke(partner, old!.id)).toEqual(revoked)
  })

  test("404: no such credential, and another partner's, which stays as it is", async () => {
    const [partner, other] = [await world.partner(), await world.partner()]
    const [foreign] = await credentials.list(other)
    for (const id of ['crd_unknown', foreign!.id]) expect((await refusal(credentials.revoke(partner, id))).code).toBe('not_found')
    expect((await credentials.list(other))[0]!.status).toBe('ACTIVE')
  })
})

/** A partner that has just proved itself, again and again: it is remembered for a moment. */
async function startCaller({ kind, attempt, right }: (typeof CREDENTIAL_KINDS)[number]) {
  const partner = await world.partner()
  const call = (secret = partner.credentials[kind]) => credentials[attempt](partner, secret)
  const idOf = async () => (await credentials.list(partner)).find((credential) => credential.kind === kind)!
  expect(await call()).toBe(right)
  // Only then is it remembered.
  await expect.poll(async () => (await idOf()).last_used_on, { interval: 20 }).not.toBeNull()
  const { id } = await idOf()
  for (const status of [await call(), await call()]) expect(status).toBe(right)
  return { partner, call, id }
}

const change = ({ code }: Partner, body: { ip_allow_list: string[] }) =>
  world.operator('changePartner', { path: { partner_code: code }, body })

describe.each(CREDENTIAL_KINDS)('$kind of a partner that calls all the time', (given) => {
  const { kind, right, wrong } = given

  test(`${wrong}: revoked`, async () => {
    const { partner, call, id } = await startCaller(given)
    await credentials.revoke(partner, id)
    expect(await call()).toBe(wrong)
  })

  test(`${right}: its successor, beside it or alone`, async () => {
    const { partner, call } = await startCaller(given)
    const second = await credentials.rotate(partner, 7, kind)
    expect([await call(), await call(second.secret)]).toEqual([right, right])
    const third = await credentials.rotate(partner, 0, kind)
    expect([await call(), await call(second.secret), await call(third.secret)]).toEqual([wrong, wrong, right])
  })

  test(`${wrong}: another one, and the right one still works`, async () => {
    const { call } = await startCaller(given)
    const { credentials: others } = await world.partner()
    expect([await call(others[kind]), await call()]).toEqual([wrong, right])
  })

  test('403: suspended, until it is resumed', async () => {
    const { partner, call } = await startCaller(given)
    const path = { partner_code: partner.code }
    await world.operator('suspendPartner', { path })
    expect(await call()).toBe(403)
    await world.operator('resumePartner', { path })
    expect(await call()).toBe(right)
  })

  test('403: an address that is no longer allowed, until it is', async () => {
    const { partner, call } = await startCaller(given)
    await change(partner, { ip_allow_list: ['203.0.113.7'] })
    expect(await call()).toBe(403)
    await change(partner, { ip_allow_list: [] })
    expect(await call()).toBe(right)
  })

  test(`${wrong}: expired`, async () => {
    const { call } = await startCaller(given)
    await world.advance(366 * DAY_SECONDS)
    expect(await call()).toBe(wrong)
  })
})
