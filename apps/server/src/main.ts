import { existsSync, statfsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { type Config, readConfig } from './config.ts'
import { describeError, isDiskFull } from './describe-error.ts'
import { createLog } from './http/pipeline/log.ts'
import { requireFreeAddresses } from './http/process/listen.ts'
import type { Running } from './start.ts'

try {
  const config = readConfig(process.env)
  let running: Running | undefined
  let stopping: Promise<never> | undefined
  // Under npm, Ctrl+C sends the signal twice: from the terminal and from npm. The second one must not shorten
  // the first stop. A start ends at once: the database rolls an open migration back.
  const stop = (drainMs: number) =>
    void (stopping ??= running ? running.close(drainMs).then(() => process.exit(0)) : process.exit(0))
  // Before the start: as the first process of a container, Node ignores a signal without a listener.
  // SIGINT (Ctrl+C) stops without a drain. The others drain, so that load balancers have time to notice.
  process.on('SIGINT', () => stop(0))
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(config.drainMs))
  // Without a listener, Node opens its inspector at this signal, which reads the memory of the process.
  process.on('SIGUSR1', () => {})
  await requireFreeAddresses(config)
  // Nearly every object that is allocated during the start stays, so V8 decides to allocate such objects in
  // the old generation (pretenuring). Objects of requests would then be old, too, and would keep what they
  // refer to until the next full garbage collection: up to a third of the processor's time
  // (`PERFORMANCE.md`).
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Imported here, so that the modules are loaded with that flag, and not at all if a setting is wrong.
  const { start } = await import('./start.ts')
  running = await start(config, createLog(config.logLevel))
  announce(config)
} catch (error) {
  console.error(`Tiwala cannot start: ${explain(error)}`)
  process.exit(1)
}

/** In live, every line of standard output is JSON. This one is written at any log level. */
function announce(config: Config): void {
  const { environment, publicUrl, operatorUrl } = config
  if (environment === 'sandbox') return console.log(welcome(config))
  createLog('info').info({ environment, public_url: publicUrl, operator_url: operatorUrl }, 'Tiwala is ready')
}

function welcome({ databaseUrl, dataDir, publicUrl, operatorUrl }: Config): string {
  const where = databaseUrl ? 'PostgreSQL' : `the embedded database in ${dataDir}`
  const operator = operatorUrl === publicUrl ? '' : `\n  Operator API  ${operatorUrl}/openapi/operator.json`
  return `
Tiwala is ready (sandbox, over ${where}).

  Start page    ${publicUrl}/
  Documentation ${publicUrl}/docs${operator}
  Credentials   ${publicUrl}/sandbox/bootstrap.json

Stop with Ctrl+C. All data is kept.
`
}

/** One line, except for a list of settings. The cause is left out if the message already contains it. */
function explain(error: unknown): string {
  if (isDiskFull(error) || isAbortedByFullDisk(error))
    return 'The disk of the database is full. Free some space, or enlarge the disk; no acknowledged write is lost.'
  if (!(error instanceof Error)) return `An unexpected error (${describeError(error).name}).`
  const { message, cause } = error
  return cause instanceof Error && cause.message && !message.includes(cause.message)
    ? `${message} (${cause.message.replaceAll(/\s+/g, ' ')})`
    : message
}

/** On a full disk the embedded database may end with "Aborted()" alone. */
function isAbortedByFullDisk(error: unknown): boolean {
  if (!(error instanceof Error && error.message.startsWith('Aborted('))) return false
  const folder = process.env['TIWALA_DATA_DIR'] || '.tiwala'
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  // One page of PostgreSQL.
  return bavail * bsize < 8 * 1024
}
