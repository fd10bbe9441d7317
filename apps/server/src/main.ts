import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { dropEnvFiles, type Report, startCluster, whenReplaced } from './cluster/cluster.ts'
import { type Config, readConfig } from './config.ts'
import { createLog } from './http/log.ts'

/** One of several, begun by the first: what is to be said, that one says, once. */
const report = cluster.isWorker ? (what: Report) => new Promise((resolve) => process.send!(what, resolve)) : undefined

try {
  const config = readConfig(process.env)
  const running = await (config.processes > 1 && !report ? startSeveral(config) : startOne(config))
  let ending: Promise<never> | undefined
  // Ctrl+C reaches this process twice under npm: from the terminal and from npm. The second must not cut the first short.
  const end = (drainMs: number) => void (ending ??= running.close(drainMs).then(() => process.exit(0)))
  // Who presses Ctrl+C does not wait; balancers are given time to notice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal === 'SIGTERM' ? config.drainMs : 0))
  if (report) {
    whenReplaced(end)
    await report({ ready: true })
  } else console.log(welcome(config))
} catch (error) {
  const refusal = explain(error)
  if (report) await report({ refusal })
  else console.error(`Tiwala cannot start: ${refusal}`)
  process.exit(1)
}

async function startOne(config: Config) {
  // It is for the first process, which exchanges this one; a terminal tells them all.
  if (report) process.on('SIGHUP', () => {})
  // While we start, nearly all that is made stays, and V8 concludes that such objects had better be old from the beginning. Those of requests
  // then are, too, and keep whatever they refer to until the next full collection: up to a third of the processor's time.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // The first of several has no need of what they are made of.
  const { start } = await import('./start.ts')
  return start(config, createLog(config.logLevel))
}

async function startSeveral(config: Config) {
  dropEnvFiles(process.env, process.execArgv)
  const processes = await startCluster(config.processes, createLog(config.logLevel))
  process.on('SIGHUP', () => void processes.restart())
  return processes
}

function welcome({ databaseUrl, dataDir, environment, publicUrl, operatorUrl, processes }: Config): string {
  const where = databaseUrl ? 'PostgreSQL' : `the embedded database in ${dataDir}`
  const many = processes > 1 ? `, ${processes} processes` : ''
  const sandbox =
    environment === 'sandbox'
      ? `\n  Credentials   ${publicUrl}/sandbox/bootstrap.json\n  See it work   npm run demo -- ${publicUrl}   (in another terminal)`
      : ''
  const operator = operatorUrl === publicUrl ? '' : `\n  Operator API  ${operatorUrl}/openapi/operator.json`
  return `
Tiwala is ready (${environment}, over ${where}${many}).

  Open next     ${publicUrl}/
  Documentation ${publicUrl}/docs${operator}${sandbox}

Stop with Ctrl+C; everything is kept.
`
}

/** In one line, but for a list of settings. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error && cause.message ? `${message} (${cause.message.replaceAll(/\s+/g, ' ')})` : message
}
