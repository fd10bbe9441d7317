import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Holds a folder for this process alone: PGlite has no lock of its own, and two openers corrupt it.
 * Node reaches the operating system's file locks only through SQLite; the system drops the lock when the process dies, however it dies.
 */
export function lockFolder(folder: string): { release(): void } {
  const file = new DatabaseSync(join(folder, 'lock'))
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    file.close()
    throw new Error(
      `The data folder ${folder} is in use by another Tiwala process. Stop that one, or give this one its own TIWALA_DATA_DIR.`,
      { cause: error },
    )
  }
  return { release: () => file.close() }
}
