import { createStore } from '../state/create-store.ts'
import { isKept, onOtherSandbox } from '../state/sandbox.ts'

type Arrived = { address: string; code: string }

/**
 * The address at which the citizen app opened this page, with its exchange code: this page is the redirect
 * URL of the sandbox's partner. The code leaves the address bar at once, so that no reload sends it again.
 */
export const arrivedCode = createStore<Arrived | undefined>(read(location.href))
if (arrivedCode.get()) history.replaceState(null, '', location.pathname)
onOtherSandbox(() => arrivedCode.set(undefined))

function read(address: string): Arrived | undefined {
  const code = new URL(address).searchParams.get('exchange_code')
  return code ? { address, code } : undefined
}

/** The citizen app opens the redirect URL. A page that would lose its sandbox is not loaded again. */
export function openRedirectUrl(path: string): void {
  if (isKept()) location.assign(path)
  else arrivedCode.set(read(location.origin + path))
}
