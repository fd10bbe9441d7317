import type { PrivateBootstrap } from '@tiwala/server/sandbox-bootstrap'
import { callSandbox, pathOf } from '../http/clients.ts'
import { exchanges } from '../http/exchanges.ts'
import { save, saved, saveNew } from './sandbox.ts'
import { createStore } from './store.ts'

/** The sandbox of this browser no longer exists. */
export const isEnded = createStore(false)
/** How far the visitor has moved the clock. */
export const advancedSeconds = createStore(0)

const otherTabs = new BroadcastChannel('tiwala-sandbox-clock')
otherTabs.addEventListener('message', ({ data }) => advancedSeconds.set(data as number))

/** The clock was moved: also the other tabs show this, and refresh what is too old by now. */
export function clockMoved(seconds: number): void {
  advancedSeconds.set(seconds)
  otherTabs.postMessage(seconds)
}

type State = { advanced_seconds: number }

/** Makes a sandbox for a browser that has none. */
export async function beginSandbox(): Promise<void> {
  saveNew(await callSandbox<PrivateBootstrap>('POST', '/sandbox'))
  exchanges.set([])
  advancedSeconds.set(0)
  isEnded.set(false)
}

/** Whether the sandbox still exists. A partner that another visit left in a changed state becomes normal. */
export async function checkSandbox(): Promise<void> {
  const { sandbox, isChanged } = saved.get()!
  try {
    advancedSeconds.set((await callSandbox<State>('GET', pathOf(sandbox))).advanced_seconds)
    if (!isChanged) return
    await callSandbox('PUT', pathOf(sandbox, 'condition'), { condition: 'normal' })
    save({ isChanged: false })
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) isEnded.set(true)
  }
}

/** Makes a new sandbox, and ends the old one if it still exists. */
export async function startOver(): Promise<void> {
  const old = saved.get()
  await beginSandbox()
  if (old) await callSandbox('DELETE', pathOf(old.sandbox)).catch(() => {})
}
