import type { Schemas } from '@tiwala/contract'
import { openChannel } from '../state/begin.ts'
import { createStore, useStore } from '../state/create-store.ts'
import { onOtherSandbox, saved } from '../state/sandbox.ts'

type ShownQr = { value: string; purpose: Schemas['QrPurpose']; uniqid: string }

/** The QR code on the phone, which the desk can scan. */
export const shownQr = createStore<ShownQr | undefined>(undefined)
onOtherSandbox(() => shownQr.set(undefined))
/** The value that was on the phone when a desk used it. */
export const usedQr = createStore<string | undefined>(undefined)

const showUsed = (value: string) => {
  if (shownQr.get()?.value === value) usedQr.set(value)
}
const tellOtherTabs = openChannel('qr', showUsed)

/** A desk has used the value, which works once: the phone that shows it, in any tab, makes another one. */
export function qrUsed(value: string): void {
  showUsed(value)
  tellOtherTabs(value)
}

/** The code of the citizen whose phone is shown. Undefined until there is one that was not used. */
export function useShownQr() {
  const qr = useStore(shownQr)
  const used = useStore(usedQr)
  const { citizen } = useStore(saved)!
  return qr?.uniqid === citizen && qr.value !== used ? qr : undefined
}
