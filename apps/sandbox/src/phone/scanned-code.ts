import { createStore } from '../state/create-store.ts'
import { onOtherSandbox } from '../state/sandbox.ts'
import { openStorage } from '../state/storage.ts'

/** `isLinked`: the link of the sign-in page opened the app in this tab, and the tab goes back there. */
type Scanned = { code: string; isLinked: boolean }

const KEY = 'tiwala-sandbox-scanned'
const storage = openStorage('sessionStorage')

/** The code of a sign-in page, alone or in its link. `undefined`: the text has none. */
export const codeIn = (text: string): string | undefined => /TWS[12]-[0-9A-Z-]+/i.exec(text)?.[0]

/** What the phone has scanned and the citizen has not answered. It survives a reload. */
export const scannedCode = createStore<Scanned | undefined>(read())
scannedCode.follow(() => keep(scannedCode.get()))
onOtherSandbox(() => scannedCode.set(undefined))

/** The code leaves the address bar at once. */
function read(): Scanned | undefined {
  const code = codeIn(new URL(location.href).searchParams.get('code') ?? '')
  if (!code) return JSON.parse(storage.get(KEY) ?? 'null') as Scanned | undefined
  history.replaceState(null, '', location.pathname)
  const scanned = { code, isLinked: true }
  keep(scanned)
  return scanned
}

function keep(scanned: Scanned | undefined): void {
  if (scanned) storage.set(KEY, JSON.stringify(scanned))
  else storage.remove(KEY)
}
