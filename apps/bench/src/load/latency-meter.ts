import { createHistogram } from 'node:perf_hooks'
import type { LoadResult } from './job.ts'

/** Counts all requests, and records the latencies of those that start after `startCounting`. */
export function createLatencyMeter() {
  const histogram = createHistogram({ figures: 3 })
  const nowUs = () => Number(process.hrtime.bigint() / 1000n)
  let countingSinceUs: number | undefined
  let totalCount = 0
  return {
    nowUs,
    /** Only the first call has an effect. */
    startCounting: () => void (countingSinceUs ??= nowUs()),
    record: (startedAtUs: number) => {
      totalCount++
      if (countingSinceUs !== undefined && startedAtUs >= countingSinceUs)
        histogram.record(Math.max(1, nowUs() - startedAtUs))
    },
    result: (): Omit<LoadResult, 'sampleBody' | 'tokens'> => {
      const seconds = (nowUs() - (countingSinceUs ?? 0)) / 1e6
      const [p50Ms, p99Ms] = [histogram.percentile(50) / 1000, histogram.percentile(99) / 1000]
      return {
        perSecond: histogram.count / seconds,
        p50Ms,
        p99Ms,
        count: histogram.count,
        totalCount,
        seconds,
      }
    },
  }
}
