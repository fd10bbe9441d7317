import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import { TiwalaError } from '@tiwala/transport'
import { withLock } from '@tiwala/ui/with-lock'
import { callSandbox, pathOf } from '../http/clients.ts'
import { createStore } from './create-store.ts'
import { addRecord, onOtherSandbox, save, saved, saveNew, takeStored } from './sandbox.ts'

/** How far the visitor has moved the clock. */
export const advancedSeconds = createStore(0)

/** A channel to the other tabs of this browser. Returns the function that sends to them. */
export function openChannel<Message>(
  name: string,
  receive: (message: Message) => void,
): (message: Message) => void {
  const channel = new BroadcastChannel(`tiwala-sandbox-${name}`)
  channel.addEventListener('message', ({ data }) => receive(data as Message))
  return (message) => channel.postMessage(message)
}

type Moved = { sandboxId: string; seconds: number }
const showMoved = ({ sandboxId, seconds }: Moved) => {
  if (saved.get()?.sandbox.sandbox_id === sandboxId) advancedSeconds.set(seconds)
}
const tellOtherTabs = openChannel('clock', showMoved)

/** The clock was moved: also the other tabs show this, and refresh what is too old by now. */
export function clockMoved({ sandbox_id: sandboxId }: CreatedSandbox, seconds: number): void {
  showMoved({ sandboxId, seconds })
  tellOtherTabs({ sandboxId, seconds })
}

type State = { advanced_seconds: number; tracking_nos: string[] }

/** A refusal for want of room names a long wait, one for too many requests a second names a short one. */
const MAX_SHORT_WAIT_SECONDS = 5
/** Enough for a class of 50 behind one address, of which 5 get a sandbox in each second. */
const MAX_TRIES = 10

/** Makes a sandbox for a browser that has none. Of two tabs that the browser opens at once, one makes it. */
export const beginFirstSandbox = (): Promise<void> =>
  withLock('tiwala-sandbox-begin', async () => {
    if (!takeStored()) await beginSandbox()
  })

async function beginSandbox(): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return saveNew(await callSandbox<CreatedSandbox>('POST', '/sandbox'))
    } catch (error) {
      const waitSeconds = waitOf(error)
      const isShort = waitSeconds > 0 && waitSeconds <= MAX_SHORT_WAIT_SECONDS
      if (!isShort || tries === MAX_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000))
    }
  }
}

const waitOf = (error: unknown) => (error instanceof TiwalaError && error.retryAfterSeconds) || 0

onOtherSandbox(() => {
  advancedSeconds.set(0)
  void checkSandbox()
})

/**
 * Reads the clock of the sandbox, if it still exists. A partner that another visit left in a changed state
 * becomes normal.
 */
export async function checkSandbox(): Promise<void> {
  const { sandbox, isChanged, isAsking } = saved.get()!
  try {
    const { advanced_seconds, tracking_nos } = await callSandbox<State>('GET', pathOf(sandbox))
    showMoved({ sandboxId: sandbox.sandbox_id, seconds: advanced_seconds })
    if (isAsking) {
      // The page was reloaded before the desk got the response.
      if (tracking_nos[0]) addRecord(sandbox, tracking_nos[0])
      save(sandbox, () => ({ isAsking: false }))
    }
    if (!isChanged) return
    await callSandbox('PUT', pathOf(sandbox, 'condition'), { condition: 'normal' })
    save(sandbox, () => ({ isChanged: false }))
  } catch {
    // The page shows by itself that the sandbox has ended, or that the service does not answer.
  }
}

let starting: Promise<void> | undefined

/** Makes a new sandbox, and ends the old one if it still exists. While it runs, a second call joins it. */
export function startOver(): Promise<void> {
  starting ??= replaceSandbox().finally(() => (starting = undefined))
  return starting
}

async function replaceSandbox(): Promise<void> {
  const old = saved.get()
  const endOld = () => old && callSandbox('DELETE', pathOf(old.sandbox)).catch(() => {})
  try {
    await beginSandbox()
  } catch (error) {
    if (!old || waitOf(error) <= MAX_SHORT_WAIT_SECONDS) throw error
    // There is no room for another one: the old one makes room.
    await endOld()
    return beginSandbox()
  }
  await endOld()
}
