import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Locks a folder for this process. PGlite has no lock, and two processes that open the same folder corrupt
 * it. SQLite is the only way in Node to use the file locks of the operating system, which releases the lock
 * when the process ends, however it ends.
 */
export function lockFolder(folder: string): { release(): void } {
  const file = new DatabaseSync(join(folder, 'lock'))
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    file.close()
    throw new Error(
      `The data folder ${folder} is in use by another Tiwala process. ` +
        'Stop that one, or give this one its own TIWALA_DATA_DIR.',
      { cause: error },
    )
  }
  return { release: () => file.close() }
}
