import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@tiwala/server/testing'
import { killGroupWithParent } from '@tiwala/server/testing-group'

const POLL_INTERVAL_MS = 20

const stops: (() => Promise<void>)[] = []

/** Stops the contenders that are running, at the end of a benchmark. */
export const stopContenders = async (): Promise<void> =>
  void (await Promise.all(stops.splice(0).map((stop) => stop())))

export type Contender = Awaited<ReturnType<typeof startContender>>

type ContenderOptions = {
  name: string
  /** Another program than Node. */
  command?: string
  /** Node options, the file to run (relative to this folder), and its arguments. */
  args: string[]
  env?: Record<string, string>
  readyPath?: string
  logFolder: string
  startTimeoutMs?: number
}

/**
 * Runs a server as a separate process, on the Node version of the bench. Its log goes to a file. It ends with
 * the bench, however that ends.
 */
export async function startContender({
  name,
  command = process.execPath,
  args,
  env,
  readyPath = '/readyz',
  logFolder,
  startTimeoutMs = 60_000,
}: ContenderOptions) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const logFile = join(logFolder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const logFd = openSync(logFile, 'a')
  const startedAtMs = performance.now()
  const child = spawn(command, args, {
    stdio: ['ignore', logFd, logFd],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), ...env },
    detached: true,
  })
  killGroupWithParent(child)
  closeSync(logFd)
  const exited = once(child, 'exit')
  while (!(await isReady(origin + readyPath))) {
    if (child.exitCode !== null || performance.now() - startedAtMs > startTimeoutMs) {
      const logEnd = readFileSync(logFile, 'utf8').slice(-2_000)
      throw new Error(`${name} did not start. The end of its log:\n${logEnd}`)
    }
    await wait(POLL_INTERVAL_MS)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  stops.push(stop)
  /** `startMs`: time from the spawn of the process to its first successful response at `readyPath`. */
  return { name, origin, pid: child.pid!, startMs: performance.now() - startedAtMs, stop }
}

const isReady = (url: string) =>
  fetch(url).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  )
