import { createServer, type Server } from 'node:http'
import type { Express } from 'express'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { startSealer } from './audit/sealing/sealer.ts'
import { startIdentities } from './authentication/identity-tokens.ts'
import { forgetPoll } from './authorizations/poll-limit.ts'
import { whenOrphaned } from './cluster/cluster.ts'
import type { Config, Listener } from './config.ts'
import { bindEnvironment } from './database/bind-environment.ts'
import { readAdvance } from './database/clock.ts'
import { connectEmbedded, connectPostgres, type OpenDatabase } from './database/connect.ts'
import { migrate } from './database/migrate.ts'
import { CHANNEL, createNotifications } from './database/notifications.ts'
import { openQueue } from './database/queue.ts'
import { requirePostgres } from './database/require-postgres.ts'
import { startRecorder } from './diagnostics/recorder.ts'
import { startHousekeeping } from './housekeeping/housekeeping.ts'
import { prepareDrain } from './http/drain.ts'
import { createExpressPrototypes } from './http/express-prototypes.ts'
import { shareCheck } from './http/health.ts'
import { toOriginForm } from './http/host.ts'
import { rejectUnreadable } from './http/reject-unreadable.ts'
import { createCaps } from './limits/concurrency-caps.ts'
import type { Service } from './operation.ts'
import { createPartnerCache } from './partners/partner-cache.ts'
import { startQuotas } from './partners/usage/quotas.ts'
import { playBehaviours } from './sandbox/behaviours.ts'
import { seedSandbox } from './sandbox/seed.ts'
import { openKeyRing, requireKeys } from './secrets/open-key-ring.ts'
import { DELIVERY_QUEUE, startDeliveryWorker } from './webhooks/delivery-worker.ts'

// Node would answer a request without `Host` with an empty body; `requireHost` answers it in the one error shape.
const HTTP_LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep theirs: else they would send a request over a connection that ends at that moment.
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
}

/** `drainMs`: how long it still answers, having announced its end. */
export type Running = { service: Service; close(drainMs?: number): Promise<void> }

/** Brings a service up over its database, in order; what fails leaves nothing half done. */
export async function start(
  config: Config,
  log: Logger,
  openDatabase: () => Promise<OpenDatabase> = () => connect(config, log),
): Promise<Running> {
  await requireKeys(config)
  const ends: ((drainMs: number) => Promise<void>)[] = []
  /** Ends everything that was begun, the last first. */
  const close = async (drainMs = 0) => {
    for (const end of ends.splice(0).toReversed()) await end(drainMs)
  }
  try {
    const database = await openDatabase()
    ends.push(database.close)
    await migrate(database.unbounded, (tx) => bindEnvironment(tx, config.environment))
    // Only now: a start that is refused leaves no key ring behind.
    const { keys, close: closeKeys } = await openKeyRing(config, ({ message }) =>
      log.error({ reason: message }, 'the key ring was not read again'),
    )
    ends.push(closeKeys)
    const notifications = createNotifications(() => readAdvance(database.background))
    notifications.onEachRecord(forgetPoll)
    const listening = await database.listen(CHANNEL, notifications.receive, notifications.wakeAll)
    ends.push(listening.close)
    const queue = await openQueue(database.queue, [DELIVERY_QUEUE], log)
    ends.push(queue.stop)
    const service: Service = {
      db: database.db,
      config,
      keys,
      log,
      notifications,
      caps: createCaps(config.concurrency),
      partnerCache: createPartnerCache(),
    }
    // For all that no caller waits for within a second.
    const background: Service = { ...service, db: database.background }
    const longRunning: Service = { ...service, db: database.longRunning }
    if (config.environment === 'sandbox') await seedSandbox(longRunning)
    const recorder = startRecorder(background)
    ends.push(recorder.stop)
    const quotas = startQuotas(service)
    ends.push(quotas.stop)
    const identities = startIdentities(config, keys, log)
    ends.push(identities.stop)
    const isUp = shareCheck(database.isUp)
    const isEnding = () => drains.some(({ isDraining }) => isDraining())
    const isReady = async () => !isEnding() && (await isUp()) && !isEnding()
    const servers: Server[] = []
    for (const listener of config.listeners)
      servers.push(createHttpServer(await createApp({ service, longRunning, identities, isReady, recorder, quotas, listener }), config))
    const drains = servers.map(prepareDrain)
    await listen(servers, config)
    ends.push(startDeliveryWorker(background, queue).stop, startHousekeeping(background).stop, startSealer(longRunning).stop)
    if (config.environment === 'sandbox') ends.push(playBehaviours(background).stop)
    ends.push(
      async () => void (await Promise.all(drains.map(({ drain }) => drain()))),
      async () => notifications.end(),
      async (drainMs) => {
        const announced = Promise.all(drains.map(({ announce }) => announce(drainMs)))
        await Promise.race([announced, Promise.all(servers.map(whenOrphaned))])
      },
    )
    return { service, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function connect(config: Config, log: Logger): Promise<OpenDatabase> {
  if (!config.databaseUrl) return connectEmbedded(config.dataDir)
  await requirePostgres(config.databaseUrl, config.processes, config.admission.deadlineMs)
  return connectPostgres(
    config.databaseUrl,
    (error) => log.warn({ name: error.name }, 'an idle database connection was lost'),
    config.admission.deadlineMs,
  )
}

function createHttpServer(app: Express, { maxWaiting }: Config): Server {
  const server = createServer({ ...HTTP_LIMITS, ...createExpressPrototypes(app) }, app)
  // Those who wait, as many idle ones, and those who come and go: what else is opened costs memory, and is closed.
  server.maxConnections = 2 * maxWaiting + 1_000
  server.prependListener('request', toOriginForm)
  server.on('clientError', rejectUnreadable)
  // What a client expects beyond `100-continue` is ignored (RFC 9110, section 10.1.1): Node would answer 417 without a body.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  return server
}

/** On every address, or on none. */
async function listen(servers: Server[], { listeners }: Config): Promise<void> {
  try {
    for (const [index, server] of servers.entries()) await listenAt(server, listeners[index]!)
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
}

function listenAt(server: Server, { host, port, setting }: Listener): Promise<void> {
  const another = setting === 'PORT' ? 'PORT=8081 npm start' : `${setting}=127.0.0.1:8082`
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Stop what listens there, or choose another: ${another}`, { cause: error })
          : new Error(`Cannot listen at ${host}, port ${port} (see ${setting}).`, { cause: error }),
      ),
    )
    server.listen(port, host, () => resolve())
  })
}
