import { readUnsealedSeconds } from '../audit/sealing/sealing.sql.ts'
import { countPending } from '../authorizations/expiry.sql.ts'
import {
  expiringSecrets,
  keyAgeSeconds,
  pendingAuthorizations,
  unsealedSeconds,
  waiting,
  webhookEvents,
  webhookOldestSeconds,
} from '../metrics/registry.ts'
import type { Service } from '../operation.ts'
import { countExpiring } from '../partners/credentials/expiry-reminder.sql.ts'
import { countEvents, readOldestPending } from '../webhooks/count-events.sql.ts'

/** The metrics that are read from the database and the key ring at each collection. */
export function provideGauges({ db, config, keys, notifications }: Service): void {
  waiting.readWith(notifications.waitingByKind)
  pendingAuthorizations.readWith(() => countPending(db))
  unsealedSeconds.readWith(() => readUnsealedSeconds(db))
  expiringSecrets.readWith(() => countExpiring(db, config.reminderDays))
  webhookEvents.readWith(async () => ({
    PENDING: await countEvents(db, 'PENDING'),
    DEAD: await countEvents(db, 'DEAD'),
  }))
  webhookOldestSeconds.readWith(() => readOldestPending(db))
  keyAgeSeconds.readWith(() =>
    Object.fromEntries(
      keys
        .list()
        .filter(({ is_current, active_from }) => is_current && active_from !== null)
        .map(({ purpose, active_from }) => [purpose, (Date.now() - Date.parse(active_from!)) / 1_000]),
    ),
  )
}
