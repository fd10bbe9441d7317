import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { startSealer } from './audit/sealing/sealer.ts'
import { startIdentities } from './authentication/identity-tokens.ts'
import { forgetDisclosures } from './authorizations/disclosure-limit.ts'
import { forgetPoll } from './authorizations/inquire/poll-limit.ts'
import type { Config } from './config.ts'
import { bindSettings } from './database/bind-settings.ts'
import type { OpenDatabase } from './database/connect.ts'
import { requireDataFolder } from './database/data-folder.ts'
import { migrate } from './database/migrate.ts'
import { CHANNEL, createNotifications } from './database/notifications.ts'
import { openConfiguredDatabase } from './database/open-configured.ts'
import { createPublisher, publishNotices } from './database/publish-notices.ts'
import { withStartupLock } from './database/startup-lock.ts'
import { requireTimeZone } from './database/time-zone.ts'
import { untilAvailable } from './database/unavailable.ts'
import { describeError } from './describe-error.ts'
import { startRecorder } from './diagnostics/recorder.ts'
import { startFigures } from './figures/count-figures.ts'
import { startHeartbeat } from './fleet/heartbeat.ts'
import { provideGauges } from './housekeeping/gauges.ts'
import { startHousekeeping } from './housekeeping/housekeeping.ts'
import { createForwardedReader } from './http/pipeline/forwarded.ts'
import { prepareDrain } from './http/process/drain.ts'
import { createReadiness } from './http/process/health.ts'
import { createHttpServer } from './http/process/http-server.ts'
import { listen } from './http/process/listen.ts'
import { bindKeys, requireNoKeys } from './keys/bind-keys.ts'
import { createConcurrencyCaps } from './limits/concurrency-caps.ts'
import type { Service } from './operation.ts'
import { createSightings } from './operators/sightings.ts'
import { createPartnerCache } from './partners/partner-cache.ts'
import { startQuotas } from './partners/usage/quotas.ts'
import { startRequestLog } from './requests/request-log.ts'
import { playBehaviors } from './sandbox/behaviors.ts'
import { seedDefaultSandbox } from './sandbox/create-sandbox.ts'
import { startEndingSandboxes } from './sandbox/end-sandboxes.ts'
import type { RingKey } from './secrets/key-ring.ts'
import { loadKeys, openKeyRing, requireKeys } from './secrets/open-key-ring.ts'
import { collectUse } from './use/collect-use.ts'
import { readVersions } from './versions.ts'
import { startDeliveryWorker } from './webhooks/delivery-worker.ts'

/** `drainMs`: how long the server still accepts requests after it has announced its end. */
export type Running = { service: Service; close(drainMs?: number): Promise<void> }

/** Starts the service in the order below. If a step fails, it stops what was started before. */
export async function start(
  config: Config,
  log: Logger,
  openDatabase: () => Promise<OpenDatabase> = () => openConfiguredDatabase(config, log),
): Promise<Running> {
  await requireDataFolder(config)
  await requireKeys(config)
  const stops: ((drainMs: number) => Promise<void>)[] = []
  /** Stops everything that was started, the last first. */
  const close = async (drainMs = 0) => {
    for (const stop of stops.splice(0).toReversed()) await stop(drainMs)
  }
  try {
    const { otlpUrl, tracedPerThousand } = config
    if (otlpUrl) {
      const { startOtlp } = await import('./metrics/otlp.ts')
      stops.push(startOtlp({ url: otlpUrl, tracedPerThousand, log }).stop)
    }
    const database = await openDatabase()
    stops.push(database.close)
    await requireTimeZone(database.unbounded, config.timeZone)
    let ringKeys: RingKey[] = []
    // In the transaction of the migrations, so that a refused start neither changes the database nor creates keys.
    await migrate(
      database.unbounded,
      async (tx) => {
        await bindSettings(tx, config)
        ringKeys = await loadKeys(config, (file) => requireNoKeys(tx, file))
        await bindKeys(tx, ringKeys, config)
      },
      (migration) => log.info(migration, 'the database schema was brought up to date'),
    )
    const { keys, close: closeKeys } = await openKeyRing(
      config,
      ({ message }) =>
        log.error(
          { reason: message },
          'the changed key ring is not used, and the loaded keys stay; correct the file',
        ),
      {
        ringKeys,
        accept: (changed, signal) =>
          untilAvailable(
            () => withStartupLock(database.unbounded, (tx) => bindKeys(tx, changed, config)),
            signal,
          ),
        onReload: (change) => log.info(change, 'the key ring was loaded again'),
        onCurrent: (key) => log.info(key, 'another key is current from now on'),
      },
    )
    stops.push(closeKeys)
    const notifications = createNotifications(config.maxWaiting)
    notifications.onEachRecord(forgetPoll)
    notifications.onEachRecord(forgetDisclosures)
    const listening = await database.listen(CHANNEL, notifications.receive, notifications.wakeAll, (error) =>
      log.warn(
        describeError(error),
        'changes are not received, so waiting requests wake late; trying again; check the database',
      ),
    )
    stops.push(listening.close)
    const publisher = createPublisher(listening.notify, notifications.receive, (error) =>
      log.warn(describeError(error), 'changes could not be told to other processes; trying again'),
    )
    stops.push(publisher.close)
    const plugin = publishNotices(publisher)
    const service: Service = {
      db: database.db.withPlugin(plugin),
      config,
      keys,
      log,
      notifications,
      concurrencyCaps: createConcurrencyCaps(config.concurrencyCaps),
      partnerCache: createPartnerCache(),
    }
    // For work that no request waits for.
    const background: Service = { ...service, db: database.background.withPlugin(plugin) }
    const longRunning: Service = { ...service, db: database.longRunning.withPlugin(plugin) }
    const replica: Service | undefined = database.replica && { ...service, db: database.replica }
    if (config.environment === 'sandbox') await seedDefaultSandbox(longRunning)
    const recorder = startRecorder(background)
    stops.push(recorder.stop)
    const quotas = startQuotas(service)
    stops.push(quotas.stop)
    const use = collectUse(background)
    stops.push(use.stop)
    const figures = startFigures(background, use.write)
    stops.push(figures.stop)
    const requestLog = startRequestLog(background, figures)
    stops.push(requestLog.stop)
    const identities = startIdentities(config, keys, log)
    stops.push(identities.stop)
    const versions = await readVersions()
    const { readForwarded, ignoredProxy } = createForwardedReader(log)
    const isDraining = () => drains.some((drain) => drain.isDraining())
    const readiness = createReadiness({
      isDatabaseUp: database.isUp,
      isDraining,
      hasKeys: identities.hasKeys,
      versions,
      ignoredProxy,
    })
    const parts = {
      service,
      longRunning,
      replica,
      identities,
      readForwarded,
      readiness,
      recorder,
      quotas,
      requestLog,
      figures,
      use,
      see: createSightings(background),
    }
    const servers: Server[] = []
    for (const listener of config.listeners)
      servers.push(createHttpServer(await createApp({ ...parts, listener }), config, isDraining))
    provideGauges(background)
    const drains = servers.map(prepareDrain)
    await listen(servers, config)
    const housekeeping = startHousekeeping(background)
    stops.push(
      startHeartbeat(background, versions, housekeeping.lastRuns).stop,
      startDeliveryWorker(background).stop,
      housekeeping.stop,
      startSealer(longRunning).stop,
    )
    if (config.environment === 'sandbox')
      stops.push(playBehaviors(background).stop, startEndingSandboxes(background).stop)
    stops.push(
      async () => void (await Promise.all(drains.map(({ drain }) => drain()))),
      async () => notifications.close(),
      async (drainMs) => void (await Promise.all(drains.map(({ announce }) => announce(drainMs)))),
    )
    return { service, close }
  } catch (error) {
    await close()
    throw error
  }
}
