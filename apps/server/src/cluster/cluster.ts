import cluster, { type Worker } from 'node:cluster'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import type { Logger } from 'pino'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** Who ends sooner than this has ended at the start. */
const STEADY_AFTER_MS = 10_000
/** Longer than what is under way may take to end once it is drained; what then is not over is ended hard. */
const LONGEST_END_MS = 20_000
/**
 * Longer than an idle connection is kept. Another process is there already and nobody waits for this one: each caller hears with an answer
 * that its connection closes, or closes it, and no connection is cut at the moment at which something is sent over it.
 */
const REPLACED_DRAIN_MS = 67_000
const REPLACED = 'replaced'
const LOOK_EVERY_MS = 200

/** What a process tells the first one; that one may be of an earlier version, so it stays as it is. */
export type Report = { ready: true } | { refusal: string }

type Process = { worker: Worker; pid: number | undefined; beganAtMs: number; ready: Promise<void>; ended: Promise<string> }
type Slot = { process: Process; pauseMs: number }

export type Cluster = { close(drainMs: number): Promise<void>; restart(): Promise<void> }

/** Several processes that listen together on one port. This one serves nothing: it begins the others, begins another for one that dies, and ends them. */
export async function startCluster(count: number, log: Logger): Promise<Cluster> {
  const alive = new Set<Process>()
  let isEnding = false

  function begin(): Process {
    const process = fork()
    alive.add(process)
    void process.ended.then(() => alive.delete(process))
    // Whoever waits for it hears of a refusal.
    process.ready.then(
      () => log.info({ pid: process.pid }, 'a process is ready'),
      () => {},
    )
    return process
  }

  async function end(process: Process, drainMs: number): Promise<void> {
    const patience = setTimeout(() => {
      log.error({ pid: process.pid }, 'a process did not end in time, and was killed')
      process.worker.process.kill('SIGKILL')
    }, drainMs + LONGEST_END_MS)
    await process.ended
    clearTimeout(patience)
  }

  async function close(drainMs: number): Promise<void> {
    isEnding = true
    for (const { worker } of alive) worker.process.kill(drainMs > 0 ? 'SIGTERM' : 'SIGINT') // As this one was told (`main.ts`).
    await Promise.all([...alive].map((process) => end(process, drainMs)))
  }

  /** Begins another process for one that ends unasked. */
  async function watch(slot: Slot): Promise<void> {
    const { process } = slot
    const how = await process.ended
    const isOver = () => isEnding || slot.process !== process
    if (isOver()) return
    slot.pauseMs = performance.now() - process.beganAtMs > STEADY_AFTER_MS ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, slot.pauseMs * 2)
    log.error({ pid: process.pid, how, pause_ms: slot.pauseMs }, 'a process ended by itself; another begins')
    await sleep(slot.pauseMs)
    if (isOver()) return
    slot.process = begin()
    slot.process.ready.catch(({ message }: Error) => isEnding || log.error({ reason: message }, 'the other process could not start'))
    void watch(slot)
  }

  const slots = Array.from({ length: count }, (): Slot => ({ process: begin(), pauseMs: FIRST_PAUSE_MS }))
  try {
    await Promise.all(slots.map(({ process }) => process.ready))
  } catch (error) {
    await close(0)
    throw error
  }
  for (const slot of slots) void watch(slot)

  /** One after the other: only when the new process is ready does the old one end. What cannot start changes nothing. */
  async function restartEach(): Promise<void> {
    try {
      for (const slot of slots) {
        const next = begin()
        await next.ready
        const old = slot.process
        Object.assign(slot, { process: next, pauseMs: FIRST_PAUSE_MS })
        void watch(slot)
        if (alive.has(old)) old.worker.send(REPLACED)
        await end(old, REPLACED_DRAIN_MS)
      }
      log.info({ processes: count }, 'every process was exchanged')
    } catch (error) {
      if (!isEnding) log.error({ reason: (error as Error).message }, 'a new process could not start; the old ones go on')
    }
  }
  let restarting = Promise.resolve()
  return { close, restart: () => (restarting = restarting.then(() => (isEnding ? undefined : restartEach()))) }
}

function fork(): Process {
  const worker = cluster.fork()
  const ended = new Promise<string>((resolve) => worker.once('exit', (code, signal) => resolve(signal || `exit code ${code}`)))
  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (report: Report) => ('refusal' in report ? reject(new Error(report.refusal)) : resolve()))
    void ended.then((how) => reject(new Error(`A process ended before it was ready (${how}).`)))
  })
  return { worker, pid: worker.process.pid, beganAtMs: performance.now(), ready, ended }
}

let isReplaced = false

/** In a process that another one has taken the place of. */
export function whenReplaced(drain: (drainMs: number) => void): void {
  process.on('message', (word) => {
    if (word !== REPLACED) return
    isReplaced = true
    drain(REPLACED_DRAIN_MS)
  })
}

/** In such a process nobody new is let in; resolves when nobody is connected any more, or when it is told to end now. */
export function whenOrphaned(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (!isReplaced) return
    // An HTTP server's own `close` would cut idle connections, too.
    NetServer.prototype.close.call(server)
    const look = () => server.getConnections((_error, count) => void (count === 0 && resolve()))
    setInterval(look, LOOK_EVERY_MS).unref()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/**
 * What this process was given by `node --env-file`, it does not pass on: each process that it begins reads the file for itself, as it
 * is by then.
 */
export function dropEnvFiles(environment: NodeJS.ProcessEnv, execArgv: string[]): void {
  const { values } = parseArgs({ args: execArgv, options: { 'env-file': { type: 'string', multiple: true } }, strict: false })
  for (const file of values['env-file'] ?? [])
    for (const [name, value] of Object.entries(parseEnv(readFileSync(String(file), 'utf8'))))
      if (environment[name] === value) delete environment[name]
}
