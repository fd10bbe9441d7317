import type { Schemas } from '@tiwala/contract'
import { saved } from '../state/sandbox.ts'
import { createStore, useStore } from '../state/store.ts'

/** The QR code on the phone, which the desk can scan. */
export const shownQr = createStore<
  { value: string; purpose: Schemas['QrPurpose']; uniqid: string } | undefined
>(undefined)

/** The code of the citizen whose phone is shown. Undefined until there is one. */
export function useShownQr() {
  const qr = useStore(shownQr)
  const { citizen } = useStore(saved)!
  return qr?.uniqid === citizen ? qr : undefined
}
