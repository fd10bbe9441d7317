import { Failure } from '../http/failure.ts'

/** When a pending record was last told of, by partner and tracking number. Per process: it protects, it decides nothing. */
const lastPolls = new Map<string, number>()
const MOST_REMEMBERED = 100_000

/** Refuses to look a pending record up again so soon. */
export function refuseEagerPolling(partnerId: number, trackingNo: string, intervalSeconds: number): void {
  const last = lastPolls.get(`${partnerId} ${trackingNo}`)
  if (last === undefined) return
  const waitSeconds = intervalSeconds - (performance.now() - last) / 1000
  if (waitSeconds > 0) throw new Failure('slow_down', { retryAfterSeconds: Math.ceil(waitSeconds) })
}

export function rememberPending(partnerId: number, trackingNo: string): void {
  const key = `${partnerId} ${trackingNo}`
  lastPolls.delete(key)
  lastPolls.set(key, performance.now())
  // A map keeps the order of insertion: the first is the oldest.
  if (lastPolls.size > MOST_REMEMBERED) lastPolls.delete(lastPolls.keys().next().value!)
}
