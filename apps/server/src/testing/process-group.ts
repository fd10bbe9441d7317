// Processes that tests and measurements start end with the process that started them, however that process
// ends.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * The shell reads from a pipe that only this process holds open. When this process ends, also by SIGKILL, the
 * pipe closes and the shell sends the signal. Once the target has ended, it removes the folder, if there is
 * one. A signal from the terminal does not reach the shell: it leads a group of its own.
 */
const WATCH = `read -r _; kill -s "$1" -- "$2"; test -z "$3" && exit
while kill -0 "$2"; do sleep 0.1; done; rm -rf -- "$3"`

/** A negative target is a process group. Returns a function that cancels it. */
export function killWithParent(target: number, signal: 'KILL' | 'QUIT' | 'TERM', folder = ''): () => void {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'watcher', signal, String(target), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  const pipe = watcher.stdin as Socket
  pipe.unref()
  return () => void watcher.kill('SIGKILL')
}

/**
 * For a child that leads a process group because it was spawned with `detached`. The group ends with this
 * process at the latest; the returned function ends it sooner, with every process that the child has started.
 */
export function killGroupWithParent(child: ChildProcess): () => void {
  const group = -child.pid!
  const cancel = killWithParent(group, 'KILL')
  let hasClosed = false
  child.once('close', () => {
    hasClosed = true
    cancel()
  })
  return () => {
    // The operating system may have reused the id for another group.
    if (hasClosed) return
    try {
      process.kill(group, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
