import { readConfig } from './config.ts'
import { createLog } from './http/log.ts'
import { start } from './start.ts'

try {
  const config = readConfig(process.env)
  const running = await start(config, createLog(config.logLevel))
  let ending: Promise<never> | undefined
  // Ctrl+C reaches this process twice under npm: from the terminal and from npm. The second must not cut the first short.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void (ending ??= running.close().then(() => process.exit(0))))
  const where = config.databaseUrl ? 'PostgreSQL' : `the embedded database in ${config.dataDir}`
  const sandbox =
    config.environment === 'sandbox'
      ? `\n  Credentials   ${config.publicUrl}/sandbox/bootstrap.json\n  See it work   npm run demo -- ${config.publicUrl}   (in another terminal)`
      : ''
  console.log(`
Tiwala is ready (${config.environment}, over ${where}).

  Open next     ${config.publicUrl}/
  Documentation ${config.publicUrl}/docs${sandbox}

Stop with Ctrl+C; everything is kept.
`)
} catch (error) {
  console.error(`Tiwala cannot start.\n${explain(error)}`)
  process.exit(1)
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}\n  (${cause.message})` : error.message
}
