import { describe, expect, test } from 'vitest'
import { comparable } from '../kit/error-body.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import type { Partner } from '../kit/users.ts'

const CALLERS = 200

const service = await startServiceForFile()

/** Sends the requests at the same time. Counts refusals by their code; any other error fails the test. */
async function race<T>(
  call: (caller: number) => Promise<T>,
): Promise<{ won: T[]; refused: Set<string>; refusals: number }> {
  const [won, codes]: [T[], string[]] = [[], []]
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const attempt = call(caller)
      const outcome = await attempt.then(
        (value) => ({ value }),
        () => undefined,
      )
      if (outcome) won.push(outcome.value)
      else codes.push((await refusal(attempt)).code)
    }),
  )
  return { won, refused: new Set(codes), refusals: codes.length }
}

describe('single-use values', () => {
  test(`200: of ${CALLERS} simultaneous requests with one access token exactly one succeeds`, async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const token = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    const { won, refused, refusals } = await race(() => partner.sso.authenticate(token))
    expect(won.map(({ uniqid }) => uniqid)).toEqual([citizen.uniqid])
    expect([[...refused], refusals]).toEqual([['token_used'], CALLERS - 1])
  })

  test(`200: of ${CALLERS} simultaneous requests with one exchange code exactly one succeeds`, async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const code = await citizen.exchangeCode(partner.code)
    const { won, refused, refusals } = await race(() => partner.sso.generateToken(code))
    expect(won).toHaveLength(1)
    expect([[...refused], refusals]).toEqual([['exchange_code_invalid'], CALLERS - 1])
  })

  test('200: of four simultaneous exchanges one succeeds, and its token works', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const code = await citizen.exchangeCode(partner.code)
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => partner.sso.generateToken(code)))
    const tokens = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(tokens).toHaveLength(1)
    expect((await partner.sso.authenticate(tokens[0]!)).uniqid).toBe(citizen.uniqid)
  })

  test(`200: ${CALLERS} requests of four partners with one QR value give one of them a record`, async () => {
    const [partners, citizen] = [await fourPartners(), await service.citizen()]
    const qrValue = await citizen.showQr()
    const { won, refused } = await race((caller) =>
      partners[caller % 4]!.profiles.requestAuthorization(qrValue),
    )
    const { tracking_no } = won[0]!.record
    for (const { record } of won) expect(record).toEqual(won[0]!.record)
    expect([won.length, [...refused]]).toEqual([CALLERS / 4, ['qr_value_invalid']])
    expect((await citizen.app('listAuthorizations', {})).body.authorizations).toMatchObject([
      { tracking_no, state: 'PENDING' },
    ])
  })

  test(`200: ${CALLERS} requests of four partners with one sharing QR value give one record`, async () => {
    const [partners, citizen] = [await fourPartners(), await service.citizen()]
    const qrValue = await citizen.showQr('share')
    const { won, refused } = await race((caller) => partners[caller % 4]!.profiles.profileByQr(qrValue))
    const { tracking_no } = won[0]!.record
    for (const { record } of won) expect(record).toEqual(won[0]!.record)
    expect([won.length, [...refused]]).toEqual([CALLERS / 4, ['qr_value_invalid']])
    expect((await citizen.app('listAuthorizations', {})).body.authorizations).toMatchObject([
      { tracking_no, state: 'VIEWED' },
    ])
  })

  test('200: one QR value in requestAuthorization and profileByQr: only one succeeds', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const qrValue = await citizen.showQr('share')
    const { profiles } = partner
    const { won, refused } = await race(async (caller) =>
      caller % 2 ? profiles.requestAuthorization(qrValue) : profiles.profileByQr(qrValue),
    )
    expect(new Set(won.map(({ state }) => state)).size).toBe(1)
    expect([won.length, [...refused]]).toEqual([CALLERS / 2, ['qr_value_invalid']])
    expect((await citizen.app('listAuthorizations', {})).body.authorizations).toHaveLength(1)
  })

  test('401: a code sent again after 1.5 seconds revokes its token, 20 of 20', async () => {
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const codes = await Promise.all(Array.from({ length: 20 }, () => citizen.exchangeCode(partner.code)))
    const tokens = await Promise.all(codes.map((code) => partner.sso.generateToken(code)))
    await service.advance(1.5)
    for (const code of codes)
      expect((await refusal(partner.sso.generateToken(code))).code).toBe('exchange_code_invalid')
    for (const token of tokens)
      expect((await refusal(partner.sso.authenticate(token))).code).toBe('token_invalid')
  })

  test('404: tracking numbers of another partner and unknown ones have the same response', async () => {
    const [a, b, citizen] = [await service.partner(), await service.partner(), await service.citizen()]
    const numbers = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, index) => (await open(a, await citizen.showQr('share'), index)).record.tracking_no,
      ),
    )
    for (const number of numbers.filter((_, index) => index % 3 === 0)) await citizen.accept(number)
    const unknown = await comparable(
      await service.send('inquire', { headers: b.headers, query: `tracking_no=${'0'.repeat(26)}` }),
    )
    expect(JSON.parse(unknown.body)).toMatchObject({ status: 404, error: 'tracking_no_not_found' })
    for (const number of numbers)
      expect(
        await comparable(
          await service.send('inquire', { headers: b.headers, query: `tracking_no=${number}` }),
        ),
      ).toEqual(unknown)
  })
})

const fourPartners = () => Promise.all([1, 2, 3, 4].map(() => service.partner()))

/** Every third record is created by profileByQr, the others by requestAuthorization. */
const open = ({ profiles }: Partner, qrValue: string, index: number) =>
  index % 3 === 1 ? profiles.profileByQr(qrValue) : profiles.requestAuthorization(qrValue)
