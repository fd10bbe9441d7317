import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { claimDatabase } from './database/claim.ts'
import { connectEmbedded, connectPostgres, type Database } from './database/connect.ts'
import { migrate } from './database/migrate.ts'
import { answerUnreadable } from './http/answer-unreadable.ts'
import { prepareDrain } from './http/drain.ts'
import type { Service } from './operation.ts'
import { playBehaviours } from './sandbox/behaviours.ts'
import { seedSandbox } from './sandbox/seed.ts'
import { type KeyRing, openKeyRing, openSandboxKeyRing } from './secrets/key-ring.ts'

// Node would answer a request without `Host` with an empty body; `refuseWithoutHost` answers it in the one error shape.
const HTTP_LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
}

export type Running = { service: Service; close(): Promise<void> }
type Opened = { db: Database; close(): Promise<void> }

/** Brings a service up over its database, in order; what fails leaves nothing half done. */
export async function start(
  config: Config,
  log: Logger,
  openDatabase: () => Promise<Opened> = () => connect(config, log),
): Promise<Running> {
  const keys = await openKeys(config)
  const database = await openDatabase()
  try {
    await migrate(database.db)
    await claimDatabase(database.db, config.environment)
    const service: Service = { db: database.db, config, keys, log }
    if (config.environment === 'sandbox') await seedSandbox(service)
    const server = createServer(HTTP_LIMITS)
    const { isDraining, drain } = prepareDrain(server)
    server.on('request', await createApp(service, isDraining))
    await listen(server, config)
    const behaviours = config.environment === 'sandbox' ? playBehaviours(service) : undefined
    const close = async () => {
      await drain()
      await behaviours?.stop()
      await database.close()
    }
    return { service, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function connect(config: Config, log: Logger): Promise<Opened> {
  if (!config.databaseUrl) return connectEmbedded(config.dataDir)
  return connectPostgres(config.databaseUrl, (error) => log.warn({ name: error.name }, 'an idle database connection was lost'))
}

async function openKeys({ keyRing, keyRingFile, dataDir }: Config): Promise<KeyRing> {
  if (keyRing) return openKeyRing(keyRing)
  return keyRingFile ? openKeyRing(await readFile(keyRingFile, 'utf8')) : openSandboxKeyRing(dataDir)
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
