import type { Schemas } from '@tiwala/contract'
import { createStore } from '../state/store.ts'

/** The QR code on the phone, which the desk can scan. */
export const shownQr = createStore<
  { value: string; purpose: Schemas['QrPurpose']; uniqid: string } | undefined
>(undefined)
