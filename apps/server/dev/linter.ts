import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { endOf, hasEnded } from './ended.ts'
import { inBackground } from './in-background.ts'
import { sendTo } from './messages.ts'
import { print } from './print.ts'

const LINTER = join(import.meta.dirname, 'lint-process.ts')

/**
 * Lints the spec in a process of its own, and prints the findings. If that process ends by itself while it
 * lints a save, another one lints this save, once: a linter that cannot start is not started in a loop.
 */
export function createLinter() {
  let child = start()
  /** The saves whose findings have not come. */
  let waiting = 0
  let mayRepeat = false
  let isStopped = false

  function start(): ChildProcess {
    const started = inBackground(fork(LINTER), 'linter')
    started.on('message', (findings: string[]) => {
      waiting--
      findings.forEach(print)
    })
    started.once('exit', () => {
      if (isStopped) return
      const isRepeated = waiting > 0 && mayRepeat
      print(
        `The linter ended (${endOf(started)}). ` +
          `It starts again ${isRepeated ? 'now' : 'at the next save of spec/'}.`,
      )
      waiting = 0
      mayRepeat = false
      if (isRepeated) restart()
    })
    return started
  }

  function restart(): void {
    child = start()
    ask()
  }

  function ask(): void {
    waiting++
    sendTo(child, 'lint')
  }

  function lint(): void {
    mayRepeat = !hasEnded(child)
    if (mayRepeat) ask()
    else restart()
  }

  function stop(): void {
    isStopped = true
    child.kill()
  }
  return { lint, stop }
}
