// The stored form of a QR value: its HMAC after the 7 characters of time with which the value begins. So the index has new codes
// beside each other. With the HMAC alone, each new code changes a random page, which PostgreSQL writes to its log as a whole.
import type { KeyRing } from '../secrets/key-ring.ts'

const withTime = (hmac: string, value: string) => hmac.replace('.', `.${value.slice(4, 11)}`)

export const qrHmac = (keys: KeyRing, value: string): string => withTime(keys.hmac('qr_value', value), value)

/** With every pepper, and as versions stored it whose values are random as a whole. */
export const qrHmacs = (keys: KeyRing, value: string): string[] =>
  keys.hmacs('qr_value', value).flatMap((hmac) => [withTime(hmac, value), hmac])
