// The workers of one machine. The primary process serves nothing: it starts the workers, restarts a worker
// that exits, and stops them all. The workers listen together on one port.
//
// States of a worker: started, ready (it listens and has reported `{ ready: true }`), draining, exited.
//
// - A worker exits by itself: the primary starts another one after a pause. The pause grows from 0.5 s to 30
//   s while workers exit within 10 s of their start.
// - SIGINT or SIGTERM: the primary sends the signal to every worker and waits. It kills a worker that takes
//   20 s longer than the drain.
// - SIGHUP (restart): for each worker in turn, the primary starts a new worker. When the new one is ready,
//   the old one gets the message `replaced` and drains until its last connection is closed, or for 67 s.
//
// Example: 4 workers and SIGHUP with a broken new version. The first new worker refuses to start, the primary
// logs the reason, and the 4 old workers keep running.
//
// Guarantees: during a restart at most one worker more than usual runs, and a connection to a replaced worker
// is not cut off while a request is sent over it.
import cluster, { type Worker } from 'node:cluster'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import type { Logger } from 'pino'

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** A worker that exits sooner than this counts as a failed start. */
const STABLE_AFTER_MS = 10_000
/** Longer than the requests in flight may take after the drain. A worker that still runs then is killed. */
export const MAX_STOP_MS = 20_000
/**
 * Longer than an idle connection is kept alive. A new worker runs already, so there is no hurry: each client
 * either gets a response with `Connection: close` or closes its idle connection. No connection is cut while a
 * request is sent over it.
 */
const REPLACED_DRAIN_MS = 67_000
const REPLACED = 'replaced'
const POLL_MS = 200

/**
 * The message from a worker to the primary. The primary may run an earlier version, so the format must not
 * change.
 */
export type Report = { ready: true } | { refusal: string }

/** `exited` resolves to the signal or the exit code. */
type WorkerProcess = {
  worker: Worker
  pid: number | undefined
  startedAtMs: number
  ready: Promise<void>
  exited: Promise<string>
}
/** One of the workers that should run, and the one that takes its place after an exit. */
type WorkerSlot = { current: WorkerProcess; pauseMs: number }

export type Cluster = { close(drainMs: number): Promise<void>; restart(): Promise<void> }

export async function startCluster(count: number, log: Logger): Promise<Cluster> {
  const workers = createWorkers(log)
  const slots = Array.from({ length: count }, (): WorkerSlot => ({
    current: workers.start(),
    pauseMs: MIN_PAUSE_MS,
  }))
  try {
    await Promise.all(slots.map(({ current }) => current.ready))
  } catch (error) {
    await workers.stopAll(0)
    throw error
  }
  for (const slot of slots) void watch(workers, slot, log)

  let restarting = Promise.resolve()
  return {
    close: workers.stopAll,
    restart: () =>
      (restarting = restarting.then(() =>
        workers.isStopping() ? undefined : replaceEach(workers, slots, log),
      )),
  }
}

type Workers = ReturnType<typeof createWorkers>

/** The workers that are alive, also those that drain. */
function createWorkers(log: Logger) {
  const alive = new Set<WorkerProcess>()
  let isStopping = false

  function start(): WorkerProcess {
    const started = fork()
    alive.add(started)
    void started.exited.then(() => alive.delete(started))
    // The callers handle a refused start.
    started.ready.then(
      () => log.info({ pid: started.pid }, 'worker is ready'),
      () => {},
    )
    return started
  }

  async function waitForExit({ pid, worker, exited }: WorkerProcess, drainMs: number): Promise<void> {
    const timer = setTimeout(() => {
      log.error({ pid }, 'worker did not stop in time; killing it')
      worker.process.kill('SIGKILL')
    }, drainMs + MAX_STOP_MS)
    await exited
    clearTimeout(timer)
  }

  async function stopAll(drainMs: number): Promise<void> {
    isStopping = true
    // The same signal that the primary received (`main.ts`).
    for (const { worker } of alive) worker.process.kill(drainMs > 0 ? 'SIGTERM' : 'SIGINT')
    await Promise.all([...alive].map((each) => waitForExit(each, drainMs)))
  }

  /** Lets a worker drain whose place another one has taken. */
  async function retire(old: WorkerProcess): Promise<void> {
    if (alive.has(old)) old.worker.send(REPLACED)
    await waitForExit(old, REPLACED_DRAIN_MS)
  }

  return { start, retire, stopAll, isStopping: () => isStopping }
}

/** Restarts the worker of a slot if it exits without being stopped or replaced. */
async function watch(workers: Workers, slot: WorkerSlot, log: Logger): Promise<void> {
  const { current } = slot
  const exit = await current.exited
  const isExpected = () => workers.isStopping() || slot.current !== current
  if (isExpected()) return
  slot.pauseMs =
    performance.now() - current.startedAtMs > STABLE_AFTER_MS
      ? MIN_PAUSE_MS
      : Math.min(MAX_PAUSE_MS, slot.pauseMs * 2)
  log.error({ pid: current.pid, how: exit, pause_ms: slot.pauseMs }, 'worker exited unexpectedly; restarting')
  await sleep(slot.pauseMs)
  if (isExpected()) return
  slot.current = workers.start()
  slot.current.ready.catch(
    ({ message }: Error) =>
      workers.isStopping() ||
      log.error(
        { reason: message },
        'worker could not restart; the next attempt follows; correct the reason',
      ),
  )
  void watch(workers, slot, log)
}

/**
 * One worker after the other: the old one drains when the new one is ready. If the new one cannot start, the
 * old one stays.
 */
async function replaceEach(workers: Workers, slots: WorkerSlot[], log: Logger): Promise<void> {
  try {
    for (const slot of slots) {
      const next = workers.start()
      await next.ready
      const old = slot.current
      Object.assign(slot, { current: next, pauseMs: MIN_PAUSE_MS })
      void watch(workers, slot, log)
      await workers.retire(old)
    }
    log.info({ processes: slots.length }, 'all workers were replaced')
  } catch (error) {
    if (!workers.isStopping())
      log.error(
        { reason: (error as Error).message },
        'new worker could not start; the old workers keep running; correct the reason and send SIGHUP again',
      )
  }
}

function fork(): WorkerProcess {
  const worker = cluster.fork()
  const exited = new Promise<string>((resolve) =>
    worker.once('exit', (code, signal) => resolve(signal || `exit code ${code}`)),
  )
  const ready = new Promise<void>((resolve, reject) => {
    // The workers also send messages about metrics.
    worker.on('message', (report: Partial<Report & { ready: true; refusal: string }>) => {
      if (report.refusal !== undefined) reject(new Error(report.refusal))
      else if (report.ready) resolve()
    })
    void exited.then((exit) => reject(new Error(`A worker exited before it was ready (${exit}).`)))
  })
  return { worker, pid: worker.process.pid, startedAtMs: performance.now(), ready, exited }
}

let isReplaced = false

/** Runs `drain` in a worker when a new worker has replaced it. */
export function whenReplaced(drain: (drainMs: number) => void): void {
  process.on('message', (message) => {
    if (message !== REPLACED) return
    isReplaced = true
    drain(REPLACED_DRAIN_MS)
  })
}

/**
 * Stops accepting connections in a replaced worker. Resolves when the last connection is closed, or at SIGINT
 * or SIGTERM.
 */
export function whenOrphaned(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (!isReplaced) return
    // The `close` of an HTTP server would also close idle connections.
    NetServer.prototype.close.call(server)
    const check = () => server.getConnections((_error, count) => void (count === 0 && resolve()))
    setInterval(check, POLL_MS).unref()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/**
 * Removes the variables that `node --env-file` has set, so that the primary does not pass them on. Each
 * worker reads the file again when it starts, with the content that it has then.
 */
export function dropEnvFiles(environment: NodeJS.ProcessEnv, execArgv: string[]): void {
  const { values } = parseArgs({
    args: execArgv,
    options: { 'env-file': { type: 'string', multiple: true } },
    strict: false,
  })
  for (const file of values['env-file'] ?? [])
    for (const [name, value] of Object.entries(parseEnv(readFileSync(String(file), 'utf8'))))
      if (environment[name] === value) delete environment[name]
}
