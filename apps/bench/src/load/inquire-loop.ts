import { anyEndedTrackingNo } from '../fixtures/ended-tracking-no.ts'
import type { Connection } from './connection.ts'
import type { InquireJob, Outcome } from './job.ts'
import { createMeter } from './latency-meter.ts'

export async function inquireLoop(connections: Connection[], job: InquireJob): Promise<Outcome> {
  const { path, headers, accepted, ended } = job
  const meter = createMeter()
  const beginsAtMs = performance.now() + job.warmUpSeconds * 1000
  const endsAtMs = beginsAtMs + job.seconds * 1000
  let sample: unknown
  let asked = 0

  function nextTrackingNo(): string {
    const isEnded = ended > 0 && asked++ % 2 === 1
    return isEnded ? anyEndedTrackingNo(ended) : accepted[Math.floor(Math.random() * accepted.length)]!
  }

  async function work({ exchange }: Connection): Promise<void> {
    for (;;) {
      const nowMs = performance.now()
      if (nowMs >= endsAtMs) return
      if (nowMs >= beginsAtMs) meter.begin()
      const request = { method: 'GET', path: `${path}?tracking_no=${nextTrackingNo()}`, headers } as const
      const sinceUs = meter.nowUs()
      const body = await exchange(request)
      meter.note(sinceUs)
      sample ??= JSON.parse(body.toString())
    }
  }

  await Promise.all(connections.map(work))
  return { ...meter.outcome(), sample, tokens: [] }
}
