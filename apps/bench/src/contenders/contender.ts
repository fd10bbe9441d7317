import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@tiwala/server/testing'
import { killGroupWithParent } from '@tiwala/server/testing-group'

const START_TIMEOUT_MS = 60_000
const POLL_INTERVAL_MS = 20

export type Contender = {
  name: string
  origin: string
  pid: number
  /** Time from the spawn of the process to its first successful response at `readyPath`. */
  startMs: number
  stop(): Promise<void>
}

export type ContenderOptions = {
  name: string
  /** Node options and the file to run. */
  args: string[]
  env: Record<string, string>
  readyPath: string
  logFolder: string
}

const runningStops = new Set<() => Promise<void>>()

/** Stops the contenders that are still running, for example after a failed benchmark. */
export const stopContenders = async (): Promise<void> =>
  void (await Promise.all([...runningStops].map((stop) => stop())))

/** Runs a server as a separate process, on the Node version of the bench. Its log goes to a file. */
export async function startContender(options: ContenderOptions): Promise<Contender> {
  const { name, args, env, readyPath, logFolder } = options
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const logFile = join(logFolder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const logFd = openSync(logFile, 'a')
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', logFd, logFd],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), ...env },
    detached: true,
  })
  killGroupWithParent(child)
  closeSync(logFd)
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const stop = async () => {
    runningStops.delete(stop)
    child.kill('SIGTERM')
    await exited
  }
  runningStops.add(stop)
  while (!(await isReady(origin + readyPath))) {
    if (child.exitCode !== null || performance.now() - startedAtMs > START_TIMEOUT_MS) {
      await stop()
      throw new Error(
        `${name} did not start. The end of its log:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`,
      )
    }
    await wait(POLL_INTERVAL_MS)
  }
  return { name, origin, pid: child.pid!, startMs: performance.now() - startedAtMs, stop }
}

const isReady = (url: string) =>
  fetch(url).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  )
