import { randomEndedTrackingNo } from '../fixtures/ended-tracking-no.ts'
import type { Connection } from './connection.ts'
import type { InquireJob, LoadResult } from './job.ts'
import { createLatencyMeter } from './latency-meter.ts'

export async function inquireLoop(connections: Connection[], job: InquireJob): Promise<LoadResult> {
  const { path, headers, acceptedTrackingNos, endedRecords } = job
  const meter = createLatencyMeter()
  const countFromMs = performance.now() + job.warmUpSeconds * 1000
  const endMs = countFromMs + job.seconds * 1000
  let sampleBody: unknown
  let requestCount = 0

  function nextTrackingNo(): string {
    const isEnded = endedRecords > 0 && requestCount++ % 2 === 1
    if (isEnded) return randomEndedTrackingNo(endedRecords)
    return acceptedTrackingNos[Math.floor(Math.random() * acceptedTrackingNos.length)]!
  }

  async function sendRequests({ send }: Connection): Promise<void> {
    for (;;) {
      const nowMs = performance.now()
      if (nowMs >= endMs) return
      if (nowMs >= countFromMs) meter.startCounting()
      const request = { method: 'GET', path: `${path}?tracking_no=${nextTrackingNo()}`, headers } as const
      const startedAtUs = meter.nowUs()
      const body = await send(request)
      meter.record(startedAtUs)
      sampleBody ??= JSON.parse(body.toString())
    }
  }

  await Promise.all(connections.map(sendRequests))
  return { ...meter.result(), sampleBody, tokens: [] }
}
