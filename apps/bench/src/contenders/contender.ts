import { spawn } from 'node:child_process'
import { openSync, closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@tiwala/server/testing'
import { startOwnGroup } from '@tiwala/server/testing-group'

const LONGEST_START_MS = 60_000
const LOOK_EVERY_MS = 20

export type Contender = {
  name: string
  origin: string
  pid: number
  /** From the spawning of the process until it answers that it is ready. */
  startMs: number
  stop(): Promise<void>
}

export type Start = {
  name: string
  /** Options of Node's and the file to run. */
  args: string[]
  env: Record<string, string>
  readyPath: string
  logFolder: string
}

const running = new Set<() => Promise<void>>()

/** Ends whoever still runs, as after a part that failed. */
export const stopContenders = async (): Promise<void> => void (await Promise.all([...running].map((stop) => stop())))

/** Runs a server as a process of its own, on Node as the bench itself, its log going to a file. */
export async function startContender({ name, args, env, readyPath, logFolder }: Start): Promise<Contender> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const logFile = join(logFolder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const log = openSync(logFile, 'a')
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), ...env },
    detached: true,
  })
  startOwnGroup(child)
  closeSync(log)
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const stop = async () => {
    running.delete(stop)
    child.kill('SIGTERM')
    await exited
  }
  running.add(stop)
  while (!(await isReady(origin + readyPath))) {
    if (child.exitCode !== null || performance.now() - startedAtMs > LONGEST_START_MS) {
      await stop()
      throw new Error(`${name} did not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`)
    }
    await wait(LOOK_EVERY_MS)
  }
  return { name, origin, pid: child.pid!, startMs: performance.now() - startedAtMs, stop }
}

const isReady = (url: string) =>
  fetch(url).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  )
