import { existsSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config.ts'

const { W_OK, X_OK } = constants

/**
 * Fails if the folder of the embedded database and of the sandbox keys cannot be used or made. It creates
 * nothing.
 */
export async function requireDataFolder(config: Config): Promise<void> {
  const { databaseUrl, keyRing, keyRingFile, dataDir } = config
  if (databaseUrl && (keyRing || keyRingFile || existsSync(join(dataDir, 'keys.json')))) return
  const refuse = ({ code }: NodeJS.ErrnoException): never => {
    throw new Error(
      `TIWALA_DATA_DIR: cannot use ${dataDir} (${code}). ` +
        'It must be a folder in which the user of the service may write.',
    )
  }
  for (const path of databaseUrl ? [dataDir] : [dataDir, join(dataDir, 'database')])
    await requireWritable(resolve(path)).catch(refuse)
}

/** A folder that is missing can be made if its parent is writable. */
async function requireWritable(path: string): Promise<void> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || path === dirname(path)) throw error
  })
  if (!stats) return requireWritable(dirname(path))
  if (!stats.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  await access(path, W_OK | X_OK)
}
