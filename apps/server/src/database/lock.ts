import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * Locks a file for this process, and makes it if it is missing. `undefined`: it is locked already. SQLite is the only way
 * in Node to use the file locks of the operating system, which releases the lock when the process ends, however it ends.
 */
export function lockFile(path: string): { release(): void } | undefined {
  const file = new DatabaseSync(path)
  try {
    file.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
  return { release: () => file.close() }
}

/** Locks a folder for this process. PGlite has no lock, and two processes that open the same folder corrupt it. */
export function lockFolder(folder: string): { release(): void } {
  const lock = lockFile(join(folder, 'lock'))
  if (lock) return lock
  throw new Error(
    `The data folder ${folder} is in use by another Tiwala process. ` +
      'Stop that one, or give this one its own TIWALA_DATA_DIR.',
  )
}
