import { parseEnv } from 'node:util'
import { type Io, readSource } from './io.ts'

/**
 * Adds the settings of a file to the environment. As with `node --env-file`, variables of the environment
 * win.
 */
export async function loadSettings(io: Io, path: string | undefined): Promise<void> {
  if (path === undefined) return
  for (const [name, value] of Object.entries(parseEnv(await readSource(io, path)))) io.env[name] ??= value
}
