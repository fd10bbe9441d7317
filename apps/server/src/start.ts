import { createServer, type Server } from 'node:http'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { startSealer } from './audit/sealing/sealer.ts'
import { forgetPoll } from './authorizations/poll-limit.ts'
import { CALLBACKS, startDeliverer } from './callbacks/deliverer.ts'
import type { Config } from './config.ts'
import { CHANNEL, createChanges } from './database/changes.ts'
import { claimDatabase } from './database/claim.ts'
import { connectEmbedded, connectPostgres, type Opened } from './database/connect.ts'
import { migrate } from './database/migrate.ts'
import { openQueue } from './database/queue.ts'
import { startRecorder } from './diagnostics/recorder.ts'
import { startHousekeeping } from './housekeeping.ts'
import { answerUnreadable } from './http/answer-unreadable.ts'
import { prepareDrain } from './http/drain.ts'
import type { Service } from './operation.ts'
import { startQuotas } from './partners/usage/quotas.ts'
import { playBehaviours } from './sandbox/behaviours.ts'
import { seedSandbox } from './sandbox/seed.ts'
import { openKeyRing } from './secrets/open-key-ring.ts'

// Node would answer a request without `Host` with an empty body; `refuseWithoutHost` answers it in the one error shape.
const HTTP_LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep theirs: else they would send a request over a connection that ends at that moment.
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
}

export type Running = { service: Service; close(): Promise<void> }

/** Brings a service up over its database, in order; what fails leaves nothing half done. */
export async function start(
  config: Config,
  log: Logger,
  openDatabase: () => Promise<Opened> = () => connect(config, log),
): Promise<Running> {
  const { keys, close: closeKeys } = await openKeyRing(config, ({ message }) =>
    log.error({ reason: message }, 'the key ring was not read again'),
  )
  const ends = [closeKeys]
  /** Ends everything that was begun, the last first. */
  const close = async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  try {
    const database = await openDatabase()
    ends.push(database.close)
    await migrate(database.db)
    await claimDatabase(database.db, config.environment)
    const changes = createChanges()
    changes.onAny((change) => change && forgetPoll(change))
    const listening = await database.listen(CHANNEL, changes.receive, changes.wakeEverybody)
    ends.push(listening.close)
    const queue = await openQueue(database.queue, [CALLBACKS], log)
    ends.push(queue.stop)
    const service: Service = { db: database.db, config, keys, log, changes }
    if (config.environment === 'sandbox') await seedSandbox(service)
    const recorder = startRecorder(service)
    ends.push(recorder.stop)
    const quotas = startQuotas(service)
    ends.push(quotas.stop)
    const server = createServer(HTTP_LIMITS)
    const { isDraining, drain } = prepareDrain(server)
    server.on('request', await createApp(service, isDraining, recorder, quotas))
    await listen(server, config)
    ends.push(startDeliverer(service, queue).stop, startHousekeeping(service).stop, startSealer(service).stop)
    if (config.environment === 'sandbox') ends.push(playBehaviours(service).stop)
    ends.push(drain, async () => changes.end())
    return { service, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function connect(config: Config, log: Logger): Promise<Opened> {
  if (!config.databaseUrl) return connectEmbedded(config.dataDir)
  return connectPostgres(config.databaseUrl, (error) => log.warn({ name: error.name }, 'an idle database connection was lost'))
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  server.on('clientError', answerUnreadable)
  // What a client expects beyond `100-continue` is ignored (RFC 9110, section 10.1.1): Node would answer 417 without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Stop what listens there, or choose another: PORT=8081 npm start`, { cause: error })
          : error,
      ),
    )
    server.listen(port, host, () => resolve())
  })
}
