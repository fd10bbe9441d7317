/**
 * The seconds until the time of `Retry-After`, which is a number of seconds or a date (RFC 9110, section
 * 10.2.3). A date is compared with the `Date` of the same response, so that the clock of this machine may be
 * wrong.
 */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  if (!value.endsWith(' GMT')) return undefined
  const nowMs = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = Math.max(0, Math.ceil((Date.parse(value) - nowMs) / 1000))
  return Number.isNaN(seconds) ? undefined : seconds
}
