import { createHistogram } from 'node:perf_hooks'
import type { Outcome } from './job.ts'

/** Latencies of what began after the warm-up. */
export function createMeter() {
  const histogram = createHistogram({ figures: 3 })
  const nowUs = () => Number(process.hrtime.bigint() / 1000n)
  let beganUs: number | undefined
  let total = 0
  return {
    nowUs,
    begin: () => void (beganUs ??= nowUs()),
    note: (sinceUs: number) => {
      total++
      if (beganUs !== undefined && sinceUs >= beganUs) histogram.record(Math.max(1, nowUs() - sinceUs))
    },
    outcome: (): Omit<Outcome, 'sample' | 'tokens'> => {
      const window: [number, number] = [beganUs ?? 0, nowUs()]
      const seconds = (window[1] - window[0]) / 1e6
      const [p50Ms, p99Ms] = [histogram.percentile(50) / 1000, histogram.percentile(99) / 1000]
      return { perSecond: histogram.count / seconds, p50Ms, p99Ms, count: histogram.count, total, seconds, window }
    },
  }
}
