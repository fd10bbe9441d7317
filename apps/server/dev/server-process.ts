import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { DocumentName } from '@tiwala/contract'
import { endOf, hasEnded } from './ended.ts'
import { inBackground } from './in-background.ts'
import { says, sendTo } from './messages.ts'
import { print } from './print.ts'

const SERVER = join(import.meta.dirname, 'server.ts')
/** The whole program of the embedded database is compiled while the process waits. */
const EXEC_ARGV = ['--no-wasm-lazy-compilation']

/**
 * Replaces the server process. A process that cannot compile the documents leaves the one before it running.
 */
export function createServerProcess(env: NodeJS.ProcessEnv) {
  let current: ChildProcess | undefined
  let started: Promise<boolean> = Promise.resolve(false)
  /** The processes whose end is wanted. */
  const stopped = new WeakSet<ChildProcess>()
  const load = () => inBackground(fork(SERVER, { env, execArgv: EXEC_ARGV }), 'server')
  /** It has loaded the modules of the server, and waits until it is needed. */
  let spare = load()

  /** A file that the spare process has loaded may have changed. */
  function renewSpare(): void {
    spare.kill('SIGKILL')
    spare = load()
  }

  /** Returns whether the new process serves. If it does not, it has printed why. */
  async function replace(changed: DocumentName[]): Promise<boolean> {
    const next = hasEnded(spare) ? load() : spare
    sendTo(next, changed)
    const isCompiled = await says(next, 'compiled')
    if (isCompiled) started = takeOver(next)
    const isServing = isCompiled && (await started)
    // One that was killed could not print why.
    if (!isServing && next.signalCode) print(`The new server ended (${endOf(next)}).`)
    spare = load()
    return isServing
  }

  async function takeOver(next: ChildProcess): Promise<boolean> {
    await stop()
    current = next
    sendTo(next, 'start')
    const isReady = await says(next, 'ready')
    if (isReady) next.once('exit', () => stopped.has(next) || reportEnd(next))
    return isReady
  }

  function reportEnd(ended: ChildProcess): void {
    started = Promise.resolve(false)
    print(`The server ended (${endOf(ended)}). It starts again at the next save.`)
  }

  async function stop(): Promise<void> {
    if (!current || hasEnded(current)) return
    stopped.add(current)
    sendTo(current, 'stop')
    await says(current, 'closed')
  }

  /** `isServing` waits while a process takes over from another. */
  return { replace, renewSpare, stop, isServing: () => started }
}
