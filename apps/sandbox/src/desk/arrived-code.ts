import { onOtherSandbox } from '../state/sandbox.ts'
import { createStore } from '../state/store.ts'

/**
 * The address at which the citizen app opened this page, with its exchange code: this page is the redirect
 * URL of the sandbox's partner. The code leaves the address bar at once, so that no reload sends it again.
 */
export const arrivedCode = createStore<{ address: string; code: string } | undefined>(read())
onOtherSandbox(() => arrivedCode.set(undefined))

function read() {
  const code = new URLSearchParams(location.search).get('exchange_code')
  if (!code) return undefined
  const address = location.href
  history.replaceState(null, '', location.pathname)
  return { address, code }
}
