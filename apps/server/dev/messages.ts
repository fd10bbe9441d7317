import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { hasEnded } from './ended.ts'

/**
 * Sends a message. A process that ends at this moment does not get it: its event `exit` follows. Without the
 * callback the closed channel would end this process.
 */
export const sendTo = (child: ChildProcess, message: string | string[]) => void child.send(message, () => {})

/** Returns false if the process has ended, or ends before it sends the message. */
export async function says(child: ChildProcess, message: string): Promise<boolean> {
  if (hasEnded(child)) return false
  const said = once(child, 'message').then(([received]) => received === message)
  const ended = once(child, 'exit').then(() => false)
  return Promise.race([said, ended])
}
