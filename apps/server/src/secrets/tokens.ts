import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Crockford's base32: no I, L, O, U. Fits the QR alphanumeric mode. */
export const CROCKFORD32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const SECRET_CHARACTERS = 43
export const EXCHANGE_CODE_PREFIX = 'twx_'
const CHECKSUM_CHARACTERS = 6

const EPOCH_SECONDS = Date.UTC(2026) / 1_000
export const TIME_CHARACTERS = 7

/** Reserved for the cell of the database, in everything that is minted and found by its value (SCALING.md). */
export const CELL = '00'

/** The seconds since 2026 in Crockford's base32, in the order of time, as `tracking_time` of the database. */
export function timeText(seconds: number): string {
  let rest = Math.floor(seconds - EPOCH_SECONDS)
  let text = ''
  while (text.length < TIME_CHARACTERS) {
    text = CROCKFORD32[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** A secret of 256 bits with a checksum, so that mistyped and random values are refused without a query. */
export function mintSecret(prefix: string): string {
  return withChecksum(prefix + randomText(BASE62, SECRET_CHARACTERS))
}

/** The cell, 7 characters of time, and 202 bits: as many characters as a secret. */
const cellTimeAndRandom = () =>
  CELL + timeText(Date.now() / 1_000) + randomText(BASE62, SECRET_CHARACTERS - CELL.length - TIME_CHARACTERS)

export const mintExchangeCode = () => withChecksum(EXCHANGE_CODE_PREFIX + cellTimeAndRandom())

/** A secret of the same form, made from `bytes` instead of random bits. */
export function secretFrom(prefix: string, bytes: Uint8Array): string {
  return withChecksum(prefix + base62(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), SECRET_CHARACTERS))
}

/** Whether a text has the form and the checksum of a secret with this prefix. */
export function isSecret(prefix: string, text: string): boolean {
  const body = text.slice(0, -CHECKSUM_CHARACTERS)
  const expected = prefix.length + SECRET_CHARACTERS + CHECKSUM_CHARACTERS
  return text.length === expected && text.startsWith(prefix) && withChecksum(body) === text
}

/** `X-Secret-Code`: an identifier, not a secret. */
export const mintSecretCode = () => `twc_${randomText(BASE62, 20)}`
/** 130 bits. The statement that makes the record replaces the first 9 characters (`timed_tracking_no`). */
export const mintTrackingNo = () => randomText(CROCKFORD32, 26)
/** The cell and 120 bits. The citizen app finds a request to sign in by it. */
export const mintSignInId = () => CELL + randomText(CROCKFORD32, 24)
/** Two characters that the citizen compares. They are no secret. */
export const mintComparison = () => randomText(CROCKFORD32, 2)
/** 7 characters of time, the cell, and 115 bits. */
export const mintQrValue = () => `TWQ1${timeText(Date.now() / 1_000)}${CELL}${randomText(CROCKFORD32, 23)}`
/**
 * The QR value that a scanner read, as it was issued: scanners add a line end, a tab or a space, and some give
 * small letters. Crockford's base32 reads O as 0, and I and L as 1. `undefined`: no QR value.
 */
export function readQrValue(scanned: string): string | undefined {
  const [, digits] = /^\s*TWQ1([0-9A-TV-Z]{32})\s*$/i.exec(scanned) ?? []
  return digits && `TWQ1${digits.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')}`
}
/** An access token is stored and found by the HMAC of its jti. */
export const mintJti = cellTimeAndRandom
/** 256 bits, for a cookie. */
export const mintCookie = () => randomText(BASE62, SECRET_CHARACTERS)
/** 130 bits. */
export const mintSandboxId = () => `sbx_${randomText(BASE62, 22)}`
/** The `uniqid` of a synthetic citizen. */
export const mintUniqid = () => `CTZ-${randomText(CROCKFORD32, 12)}`
export const mintSessionId = () => `ses_${randomText(BASE62, 22)}`
export const mintMemberId = () => `mbr_${randomText(BASE62, 22)}`
export const mintAnomalyId = () => `ano_${randomText(BASE62, 22)}`
export const mintApprovalId = () => `apr_${randomText(BASE62, 22)}`
export const mintProcessId = () => `prc_${randomText(BASE62, 22)}`
/** 7 characters of time, so that the indexes of request ids have new ones beside each other, and 89 bits. */
export const mintRequestId = () => `req_${timeText(Date.now() / 1_000)}${randomText(BASE62, 15)}`
/** Random below 2^53, so that an id reveals neither order nor number of records. */
export const mintRecordId = () => Number(randomBytes(8).readBigUInt64BE() >> 11n) || 1
/** The ids of W3C Trace Context, in hexadecimal. */
export const mintTraceId = () => randomNonce(16).toString('hex')
export const mintSpanId = () => randomNonce(8).toString('hex')

function withChecksum(body: string): string {
  return body + base62(BigInt(crc32(body)), CHECKSUM_CHARACTERS)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)]! + text
  return text
}

/** Unbiased: bytes at or above the last whole multiple of the alphabet's length are discarded. */
function randomText(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const byte = nextByte()
    if (byte < limit) text += alphabet[byte % alphabet.length]
  }
  return text
}

// Random bytes are drawn in blocks: a small draw costs as much as a large one, and every request needs some.
let pool = Buffer.alloc(0)
let position = 0

/** Random bytes, from the same pool as the secrets. */
export function randomNonce(length: number): Buffer {
  const nonce = Buffer.allocUnsafe(length)
  for (let index = 0; index < length; index++) nonce[index] = nextByte()
  return nonce
}

function nextByte(): number {
  if (position === pool.length) {
    pool = randomBytes(4096)
    position = 0
  }
  const byte = pool[position]!
  // A byte is used once, and then erased.
  pool[position++] = 0
  return byte
}
