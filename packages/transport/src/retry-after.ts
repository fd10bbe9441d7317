/** The form of C's asctime, which recipients must read (RFC 9110, section 5.6.7). It names no time zone. */
const ASCTIME = /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/** An HTTP date in each of its three forms, in milliseconds. NaN: none. All are in GMT. */
const httpDateMs = (text: string): number =>
  ASCTIME.test(text) ? Date.parse(`${text} GMT`) : text.endsWith(' GMT') ? Date.parse(text) : Number.NaN

/**
 * The seconds until the time of `Retry-After`, which is a number of seconds or a date (RFC 9110, section
 * 10.2.3). A date is compared with the `Date` of the same response, so that the clock of this machine may be
 * wrong.
 */
export function retryAfterSecondsOf(headers: Pick<Headers, 'get'>): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const nowMs = httpDateMs(headers.get('date') ?? '') || Date.now()
  const seconds = Math.max(0, Math.ceil((httpDateMs(value) - nowMs) / 1000))
  return Number.isNaN(seconds) ? undefined : seconds
}
