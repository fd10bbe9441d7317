import { describe, expect, test } from 'vitest'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

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
})

const fourPartners = () => Promise.all([1, 2, 3, 4].map(() => service.partner()))
