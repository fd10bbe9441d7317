// The texts by which the citizen app opens a sign-in request.
//
// The QR code holds `TWS1-<id>-<second>-<HMAC>`. It changes every second, and the statement that opens the request
// accepts it for five: a picture that is passed on is stale when it arrives. The link on the same device holds
// `TWS2-<id>-<HMAC>`. After an approval, that browser must come back with a value that only the app gets
// (`returnNonce`), so a link that was passed on signs in no other browser.
import { timingSafeEqual } from 'node:crypto'
import { derive, type KeyRing } from '../secrets/key-ring.ts'

export const QR_SECONDS = 5

const QR = /^TWS1-([0-9A-HJKMNP-TV-Z]{26})-(\d{1,12})-([0-9A-F]{32})$/
const LINK = /^TWS2-([0-9A-HJKMNP-TV-Z]{26})-([0-9A-F]{32})$/

/** Half of an HMAC-SHA-256. */
const mac = (keys: KeyRing, domain: string, text: string) =>
  derive(keys.current('sign-in'), domain, text).subarray(0, 16).toString('hex').toUpperCase()

function isEqual(expected: string, presented: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(presented)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const qrText = (keys: KeyRing, id: string, second: number) =>
  `TWS1-${id}-${second}-${mac(keys, 'sign_in_qr', `${id} ${second}`)}`

export const linkCode = (keys: KeyRing, id: string) => `TWS2-${id}-${mac(keys, 'sign_in_link', id)}`

export const returnNonce = (keys: KeyRing, id: string) => mac(keys, 'sign_in_return', id)

/** The grant of the protocol, the same for each try to bind it. Nothing that leaves the service reveals it. */
export const grantIdOf = (keys: KeyRing, id: string) => mac(keys, 'sign_in_grant', id)

export const isReturnNonce = (keys: KeyRing, id: string, nonce: string) =>
  isEqual(returnNonce(keys, id), nonce)

/** `second`: when the QR code was shown. Null: the link on the same device. */
export type OpenedCode = { id: string; second: number | null }

/** As a scanner gives it, like a QR value (`readQrValue`). `undefined`: the service has not made this text. */
export function readCode(keys: KeyRing, scanned: string): OpenedCode | undefined {
  const text = scanned.trim().toUpperCase()
  const [, id, second] = QR.exec(text) ?? []
  if (id && second)
    return isEqual(qrText(keys, id, Number(second)), text) ? { id, second: Number(second) } : undefined
  const [, linked] = LINK.exec(text) ?? []
  return linked && isEqual(linkCode(keys, linked), text) ? { id: linked, second: null } : undefined
}
