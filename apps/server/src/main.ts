import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { dropEnvFiles, type Report, startCluster, whenReplaced } from './cluster/cluster.ts'
import { type Config, readConfig } from './config.ts'
import { requireFreeAddresses } from './http/listen.ts'
import { createLog } from './http/log.ts'
import { isRelease } from './program.ts'

/** Only in a worker: it reports to the primary, which alone writes to the terminal. */
const report = cluster.isWorker
  ? (message: Report) => new Promise((resolve) => process.send!(message, resolve))
  : undefined

/** In a worker: keeps its counters. */
let handOver = async () => {}

try {
  const config = readConfig(process.env)
  if (!report) await requireFreeAddresses(config)
  const running = await (config.processes > 1 && !report ? startPrimary(config) : startServer(config))
  let stopping: Promise<never> | undefined
  // Under npm, Ctrl+C sends the signal twice: from the terminal and from npm. The second one must not shorten
  // the first stop.
  const stop = (drainMs: number) =>
    void (stopping ??= running
      .close(drainMs)
      .then(handOver)
      .then(() => process.exit(0)))
  // SIGINT (Ctrl+C) stops without a drain. SIGTERM drains, so that load balancers have time to notice. So
  // does SIGHUP without workers to replace: the supervisor starts the process again, with changed settings.
  process.on('SIGINT', () => stop(0))
  process.on('SIGTERM', () => stop(config.drainMs))
  if (config.processes === 1) process.on('SIGHUP', () => stop(config.drainMs))
  if (report) {
    whenReplaced(stop)
    await report({ ready: true })
    const { announceMetrics, handOverMetrics } = await import('./metrics/cluster-metrics.ts')
    announceMetrics()
    handOver = handOverMetrics
  } else announce(config)
} catch (error) {
  const refusal = explain(error)
  if (report) await report({ refusal })
  else console.error(`Tiwala cannot start: ${refusal}`)
  process.exit(1)
}

async function startServer(config: Config) {
  // A terminal sends SIGHUP to all processes, but only the primary handles it (it replaces the workers).
  if (report) process.on('SIGHUP', () => {})
  // Nearly every object that is allocated during the start stays, so V8 decides to allocate such objects in
  // the old generation (pretenuring). Objects of requests would then be old, too, and would keep what they
  // refer to until the next full garbage collection: up to a third of the processor's time
  // (`PERFORMANCE.md`).
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Imported here, because the primary does not need it.
  const { start } = await import('./start.ts')
  return start(config, createLog(config.logLevel))
}

async function startPrimary(config: Config) {
  dropEnvFiles(process.env, process.execArgv)
  const { answerWorkers } = await import('./metrics/cluster-metrics.ts')
  answerWorkers()
  const processes = await startCluster(config.processes, createLog(config.logLevel))
  process.on('SIGHUP', () => void processes.restart())
  return processes
}

/** In live, every line of standard output is JSON. This one is written at any log level. */
function announce(config: Config): void {
  const { environment, publicUrl, operatorUrl, processes } = config
  if (environment === 'sandbox') return console.log(welcome(config))
  createLog('info').info(
    { environment, public_url: publicUrl, operator_url: operatorUrl, processes },
    'Tiwala is ready',
  )
}

function welcome({ databaseUrl, dataDir, publicUrl, operatorUrl, processes }: Config): string {
  const where = databaseUrl ? 'PostgreSQL' : `the embedded database in ${dataDir}`
  const workers = processes > 1 ? `, ${processes} processes` : ''
  const operator = operatorUrl === publicUrl ? '' : `\n  Operator API  ${operatorUrl}/openapi/operator.json`
  const demo = isRelease ? '' : `\n  Demo          npm run demo -- ${publicUrl}   (in another terminal)`
  return `
Tiwala is ready (sandbox, over ${where}${workers}).

  Start page    ${publicUrl}/
  Documentation ${publicUrl}/docs${operator}
  Credentials   ${publicUrl}/sandbox/bootstrap.json${demo}

Stop with Ctrl+C. All data is kept.
`
}

/** One line, except for a list of settings. The cause is left out if the message already contains it. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && cause.message && !message.includes(cause.message)
    ? `${message} (${cause.message.replaceAll(/\s+/g, ' ')})`
    : message
}
