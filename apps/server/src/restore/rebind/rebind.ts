// What `tiwala rebind` does. It is in this layer because it writes the audit.
import { localActor } from '../../audit/local-actor.ts'
import { readConfig } from '../../config.ts'
import {
  type BoundSetting,
  findDifferentSettings,
  requireEnvironment,
  storeSettings,
} from '../../database/bind-settings.ts'
import { readSchemaState } from '../../database/migrate.ts'
import { openConfiguredDatabase } from '../../database/open-configured.ts'
import { withStartupLock } from '../../database/startup-lock.ts'
import { requireTimeZone } from '../../database/time-zone.ts'
import { mintRequestId } from '../../secrets/tokens.ts'
import { insertRebindAudit } from './rebind.sql.ts'

export type { BoundSetting }

/**
 * Binds the database to changed settings, after `confirm`, which may throw. Returns what was changed. The audit has a
 * row for each change, with the user of this machine as actor, because the command needs no token. The processes of the
 * service must be stopped, because they compare the settings only at their start.
 */
export async function rebind(
  environment: NodeJS.ProcessEnv,
  confirm: (changes: BoundSetting[]) => Promise<void>,
): Promise<BoundSetting[]> {
  const config = readConfig(environment)
  const database = await openConfiguredDatabase(config, { warn: () => {} })
  try {
    const { missing } = await readSchemaState(database.unbounded)
    if (missing) throw new Error('The database is not bound to settings yet: the next start binds it.')
    await requireEnvironment(database.unbounded, config)
    await requireTimeZone(database.unbounded, config.timeZone)
    const changes = await findDifferentSettings(database.unbounded, config)
    if (changes.length) {
      await confirm(changes)
      await withStartupLock(database.unbounded, async (tx) => {
        await storeSettings(tx, changes)
        await insertRebindAudit(tx, {
          actor: localActor(),
          requestId: mintRequestId(),
          details: changes.map(({ name, bound, value }) => `${name}: ${bound} -> ${value ?? 'not set'}`),
        })
      })
    }
    return changes
  } finally {
    await database.close()
  }
}
