// TIWALA_TIMING_PAIRS chooses another number of pairs.
import { expect, test } from 'vitest'
import { startServiceForFile } from '../src/kit/test-service.ts'
import { type Difference, measurePairs } from './measure-pairs.ts'
import { createTimingPairs } from './timing-pairs.ts'

const PAIRS = Number(process.env['TIWALA_TIMING_PAIRS'] ?? 10_000)
const MAX_DIFFERENCE = 0.01
/** Of a pair with a written cause. An additional statement made it 19 %. */
const MAX_EXPLAINED_DIFFERENCE = 0.15
const TIMEOUT_MS = 3_600_000

const service = await startServiceForFile({ TIWALA_QR_RETRY_SECONDS: '0', TIWALA_QR_TTL_SECONDS: '86400' })
const pairs = await createTimingPairs(service)

function log(what: string, { medianUs, relative, interval }: Difference): void {
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  console.log(
    `${what}: ${Math.round(medianUs)} us, ${percent(relative)} (${interval.map(percent).join(' to ')})`,
  )
}

/** Even the end of the interval that is nearer to zero is above the bound. */
const isDifferent = ([low, high]: [number, number], bound: number) => low > bound || high < -bound

test.each(pairs.map((pair) => [pair.what, pair] as const))(
  `%s: the medians of ${PAIRS} interleaved pairs differ by less than 1 %, or 15 % with a written cause`,
  { timeout: TIMEOUT_MS },
  async (what, { first, second, cause, pairs: enough = PAIRS }) => {
    const difference = await measurePairs(service.url, first, second, Math.min(enough, PAIRS))
    log(what, difference)
    const bound = cause === undefined ? MAX_DIFFERENCE : MAX_EXPLAINED_DIFFERENCE
    expect(isDifferent(difference.interval, bound)).toBe(false)
  },
)

test('control: the measurement tells a success from a refusal', { timeout: TIMEOUT_MS }, async () => {
  const partner = await service.partner()
  const success = { id: 'readPartnerSelf', parts: { headers: partner.headers } } as const
  const difference = await measurePairs(service.url, success, pairs[0]!.first, PAIRS)
  log('control', difference)
  expect(isDifferent(difference.interval, MAX_DIFFERENCE)).toBe(true)
})
