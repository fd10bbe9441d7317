import { readUnsealedSeconds } from '../audit/sealing/store.ts'
import {
  expiringSecrets,
  keyAgeSeconds,
  unsealedSeconds,
  waiting,
  webhookEvents,
  webhookOldestSeconds,
} from '../metrics/registry.ts'
import type { Service } from '../operation.ts'
import { countExpiring } from '../partners/credentials/store.ts'
import { readBacklog } from '../webhooks/store.ts'

/** The metrics that are read from the database and the key ring at each collection. */
export function provideGauges({ db, config, keys, notifications }: Service): void {
  waiting.readWith(notifications.waiting)
  unsealedSeconds.readWith(() => readUnsealedSeconds(db))
  expiringSecrets.readWith(() => countExpiring(db, config.reminderDays))
  webhookEvents.readWith(async () => {
    const { pending, dead } = await readBacklog(db)
    return { PENDING: pending, DEAD: dead }
  })
  webhookOldestSeconds.readWith(async () => (await readBacklog(db)).oldest_seconds)
  keyAgeSeconds.readWith(() =>
    Object.fromEntries(
      keys
        .list()
        .filter(({ is_current, active_from }) => is_current && active_from !== null)
        .map(({ purpose, active_from }) => [purpose, (Date.now() - Date.parse(active_from!)) / 1_000]),
    ),
  )
}
