import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import type { Io } from './io.ts'

/**
 * Adds the settings of a file to the environment. As with `node --env-file`, variables of the environment
 * win.
 */
export async function loadSettings({ env }: Io, path: string | undefined): Promise<void> {
  if (path === undefined) return
  for (const [name, value] of Object.entries(parseEnv(await readFile(path, 'utf8')))) env[name] ??= value
}
