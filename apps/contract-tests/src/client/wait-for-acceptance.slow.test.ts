import { createPartnerClient } from '@tiwala/client'
import { describe, expect, test } from 'vitest'
import { refusal, refusalOfPolling, startServiceForFile, type TestService } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS } from '../kit/unknown-credentials.ts'

/** Below the 25 s for which the server holds a request, and far above the time of any step here. */
const HELD_MS = 20_000

type Pending = Awaited<ReturnType<TestService['pending']>>

const service = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '1' })

/** The client of a partner with a custom `fetch`. */
function clientOf(
  { partner: { credentials } }: Pending,
  before: (asked: number, request: Request) => unknown = () => {},
) {
  let asked = 0
  const sendAfter = async (request: Request) => {
    await before(++asked, request)
    return fetch(request)
  }
  return createPartnerClient({
    baseUrl: service.url,
    secretCode: credentials.secret_code,
    secretToken: credentials.secret_token,
    fetch: sendAfter,
  })
}

describe('waitForAcceptance', () => {
  test('ACCEPTED: the citizen accepts while it waits', async () => {
    const given = await service.pending()
    const preferences: (string | null)[] = []
    const { waitForAcceptance } = clientOf(given, (asked, { headers }) => {
      preferences.push(headers.get('prefer'))
      if (asked === 1) setTimeout(() => void given.citizen.accept(given.trackingNo), 50)
    })
    const outcome = await waitForAcceptance(given.trackingNo)
    if (outcome.state !== 'ACCEPTED') throw new Error(outcome.state)
    expect(outcome).toMatchObject({
      timeZone: 'Asia/Manila',
      requestId: expect.stringMatching(/^req_/),
      expiresAt: undefined,
    })
    expect([outcome.record.is_accepted, outcome.profile, outcome.record.response]).toEqual([
      1,
      outcome.record.response,
      { ...given.citizen.profile, postal: null },
    ])
    expect(new Set(preferences)).toEqual(new Set(['wait=25']))
  })

  test.each<[string, (given: Pending) => Promise<unknown>]>([
    ['DECLINED', ({ citizen, trackingNo }) => citizen.decline(trackingNo)],
    ['CANCELLED', ({ partner, trackingNo }) => partner.profiles.cancelAuthorization(trackingNo)],
    [
      'REVOKED',
      ({ citizen, trackingNo }) => citizen.accept(trackingNo).then(() => citizen.revoke(trackingNo)),
    ],
    ['EXPIRED', () => service.advance(300)],
  ])('%s: without a profile', async (state, end) => {
    const given = await service.pending()
    await end(given)
    const outcome = await given.partner.profiles.waitForAcceptance(given.trackingNo)
    expect([outcome.state, outcome.record.is_accepted, 'profile' in outcome]).toEqual([state, 0, false])
  })

  test('VIEWED: a profile-by-QR record has its profile', async () => {
    const [{ profiles }, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await profiles.profileByQr(await citizen.showQr('share'))
    expect(await profiles.waitForAcceptance(record.tracking_no)).toMatchObject({
      state: 'VIEWED',
      record,
      profile: record.response,
    })
  })

  test('PENDING: the deadline passes before the citizen decides', async () => {
    const { partner, trackingNo } = await service.pending()
    const deadline = new Date(Date.now() + 1_300)
    const outcome = await partner.profiles.waitForAcceptance(trackingNo, { deadline })
    expect(outcome).toMatchObject({
      state: 'PENDING',
      record: { tracking_no: trackingNo, is_accepted: null },
      expiresAt: expect.any(Date),
    })
    const lateMs = Date.now() - deadline.getTime()
    expect([lateMs >= 0, lateMs < HELD_MS]).toEqual([true, true])
  })

  test('PENDING: with a deadline in the past the client asks once', async () => {
    const { partner, trackingNo } = await service.pending()
    expect((await partner.profiles.waitForAcceptance(trackingNo, { deadline: new Date(0) })).state).toBe(
      'PENDING',
    )
  })

  test('ACCEPTED: after an inquiry too early (slow_down)', async () => {
    const given = await service.pending()
    await given.partner.profiles.inquire(given.trackingNo)
    const inquire = () => given.partner.profiles.inquire(given.trackingNo)
    expect((await refusalOfPolling(inquire)).code).toBe('slow_down')
    const { waitForAcceptance } = clientOf(given, (asked) => {
      if (asked === 1) setTimeout(() => void given.citizen.accept(given.trackingNo), 1_200)
    })
    expect((await waitForAcceptance(given.trackingNo)).state).toBe('ACCEPTED')
  })

  test('ACCEPTED: after a broken connection', async () => {
    const given = await service.pending()
    await given.citizen.accept(given.trackingNo)
    const { waitForAcceptance } = clientOf(given, (asked) => {
      if (asked === 1) throw new TypeError('fetch failed')
    })
    expect((await waitForAcceptance(given.trackingNo)).state).toBe('ACCEPTED')
  })

  test('signal: aborted while the inquiry waits, it rejects at once', async () => {
    const given = await service.pending()
    const [caller, reason] = [new AbortController(), new Error('The customer has left')]
    const { waitForAcceptance } = clientOf(given, () => void setTimeout(() => caller.abort(reason), 100))
    const begunAtMs = performance.now()
    await expect(waitForAcceptance(given.trackingNo, { signal: caller.signal })).rejects.toBe(reason)
    expect(performance.now() - begunAtMs).toBeLessThan(HELD_MS)
  })

  test('signal: aborted before, nothing is sent', async () => {
    const given = await service.pending()
    const sent: Request[] = []
    const { waitForAcceptance } = clientOf(given, (_asked, request) => void sent.push(request))
    await expect(waitForAcceptance(given.trackingNo, { signal: AbortSignal.abort('no') })).rejects.toBe('no')
    expect(sent).toEqual([])
  })

  test('404, 401, 410: permanent errors are thrown at once', async () => {
    const { partner, citizen, trackingNo } = await service.pending()
    expect((await refusal(partner.profiles.waitForAcceptance('0'.repeat(26)))).code).toBe(
      'tracking_no_not_found',
    )
    const stranger = createPartnerClient({ baseUrl: service.url, ...UNKNOWN_CREDENTIALS })
    expect((await refusal(stranger.waitForAcceptance(trackingNo))).code).toBe('credentials_invalid')
    await citizen.accept(trackingNo)
    await service.advance(3_600)
    expect((await refusal(partner.profiles.waitForAcceptance(trackingNo))).code).toBe('result_expired')
  })
})
