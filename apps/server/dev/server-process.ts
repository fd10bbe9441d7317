import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DocumentName } from '@tiwala/contract'
import { inBackground } from './in-background.ts'

const SERVER = join(import.meta.dirname, 'server.ts')

/**
 * Replaces the server process. A process that cannot compile the documents leaves the one before it running.
 */
export function createServerProcess(env: NodeJS.ProcessEnv) {
  let current: ChildProcess | undefined
  let started: Promise<boolean> = Promise.resolve(false)
  const load = () => inBackground(fork(SERVER, { env }))
  let spare = load()

  /** Returns whether the new process serves. If it does not, it has printed why. */
  async function replace(changed: DocumentName[]): Promise<boolean> {
    const next = hasEnded(spare) ? load() : spare
    next.send(changed)
    const isCompiled = await says(next, 'compiled')
    if (isCompiled) started = takeOver(next)
    const isServing = isCompiled && (await started)
    spare = load()
    return isServing
  }

  async function takeOver(next: ChildProcess): Promise<boolean> {
    await stop()
    current = next
    next.send('start')
    return says(next, 'ready')
  }

  async function stop(): Promise<void> {
    if (!current || hasEnded(current)) return
    const exited = once(current, 'exit')
    if (current.connected) current.disconnect()
    await exited
  }

  /** `isServing` waits while a process takes over from another. */
  return { replace, stop, isServing: () => started }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Returns false if the process ends before it sends the message. */
async function says(child: ChildProcess, message: string): Promise<boolean> {
  const said = once(child, 'message').then(([received]) => received === message)
  const ended = once(child, 'exit').then(() => false)
  return Promise.race([said, ended])
}
