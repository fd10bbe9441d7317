// What `tiwala rebind` does.
import { readConfig } from '../config.ts'
import {
  type BoundSetting,
  findDifferentSettings,
  requireEnvironment,
  storeSettings,
} from './bind-settings.ts'
import { readSchemaState } from './migrate.ts'
import { openConfiguredDatabase } from './open-configured.ts'
import { withStartupLock } from './startup-lock.ts'
import { requireTimeZone } from './time-zone.ts'

export type { BoundSetting }

/**
 * Binds the database to changed settings, after `confirm`, which may throw. Returns what was changed. The
 * processes of the service must be stopped, because they compare the settings only at their start.
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
      await withStartupLock(database.unbounded, (tx) => storeSettings(tx, changes))
    }
    return changes
  } finally {
    await database.close()
  }
}
