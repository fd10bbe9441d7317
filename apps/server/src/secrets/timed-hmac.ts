// The stored form of a value that has the 7 characters of its time: its HMAC after these characters. So the index has new rows beside
// each other. With the HMAC alone, each new row changes a random page, which PostgreSQL writes to its log as a whole.
import type { KeyRing } from './key-ring.ts'
import { TIME_CHARACTERS, timeText } from './tokens.ts'

/** Where the time begins: after the prefix, and the cell. */
const TIME_AT = { qr_value: 'TWQ1'.length, exchange_code: 'twx_00'.length, access_token: '00'.length }
export type TimedDomain = keyof typeof TIME_AT

const DAY_SECONDS = 86_400

const timeIn = (domain: TimedDomain, value: string) =>
  value.slice(TIME_AT[domain], TIME_AT[domain] + TIME_CHARACTERS)

const withTime = (hmac: string, time: string) => hmac.replace('.', `.${time}`)

export const timedHmac = (keys: KeyRing, domain: TimedDomain, value: string): string =>
  withTime(keys.hmac(domain, value), timeIn(domain, value))

/** With every pepper. A value without a time of the last day is also looked up as versions stored it whose values are all random. */
export function timedHmacs(keys: KeyRing, domain: TimedDomain, value: string): string[] {
  const time = timeIn(domain, value)
  const now = Date.now() / 1_000
  const isRecent = time > timeText(now - DAY_SECONDS) && time <= timeText(now + DAY_SECONDS)
  return keys
    .hmacs(domain, value)
    .flatMap((hmac) => (isRecent ? [withTime(hmac, time)] : [withTime(hmac, time), hmac]))
}
