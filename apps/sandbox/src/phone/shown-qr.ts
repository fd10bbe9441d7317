import type { Schemas } from '@tiwala/contract'
import { saved } from '../state/sandbox.ts'
import { createStore, useStore } from '../state/store.ts'

/** The QR code on the phone, which the desk can scan. */
export const shownQr = createStore<
  { value: string; purpose: Schemas['QrPurpose']; uniqid: string } | undefined
>(undefined)

/** Undefined until the citizen whose phone is shown has a code: the code of another citizen is not scanned. */
export function useShownQr() {
  const qr = useStore(shownQr)
  const { citizen } = useStore(saved)!
  return qr?.uniqid === citizen ? qr : undefined
}
