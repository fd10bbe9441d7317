import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { isDiskFull } from '../describe-error.ts'
import { createDiskState, INT8, isDatabaseUp, type OpenDatabase, parseInt8 } from './connect.ts'
import { lockFolder } from './lock.ts'

/** The database of `npm start`, in a folder of this machine. */
export async function connectEmbedded(dataDir: string, options: PGliteOptions = {}): Promise<OpenDatabase> {
  const folder = join(dataDir, 'database')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(dataDir)
  const embedded = openEmbedded({ ...options, dataDir: folder })
  const close = async () => {
    await embedded.close()
    lock.release()
  }
  return { ...embedded, close }
}

export function openEmbedded(options: PGliteOptions = {}): OpenDatabase & { pglite: PGlite } {
  const pglite = new PGlite({ ...options, parsers: { [INT8]: parseInt8 } })
  const disk = createDiskState()
  const db = new Kysely<unknown>({
    dialect: new PGliteDialect({ pglite }),
    log: (event) => {
      if (event.level === 'error' && isDiskFull(event.error)) disk.onFull()
    },
  })
  return {
    pglite,
    db,
    background: db,
    longRunning: db,
    unbounded: db,
    isUp: async () => !disk.isFull() && (await isDatabaseUp(db)),
    // A closed database has no listener to remove.
    listen: async (channel, onMessage) => {
      const stop = await pglite.listen(channel, onMessage)
      return {
        // There is no other process.
        notify: async () => {},
        close: async () => (pglite.closed ? undefined : stop()),
      }
    },
    close: () => pglite.close(),
  }
}
