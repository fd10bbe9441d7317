import { inspect } from 'node:util'
import type { BoundSetting } from '@tiwala/server/rebind'
import { askToType } from './confirm.ts'
import type { Io } from './io.ts'
import { loadSettings } from './load-settings.ts'
import { type Output, printResult } from './print-value.ts'
import { UsageError } from './usage-error.ts'

export type RebindOptions = { output: Output; settings?: string; yes?: boolean }

/** Binds the database to changed settings that its data depends on. */
export async function rebind(io: Io, { output, settings, yes }: RebindOptions): Promise<void> {
  // Into the environment, since the driver of PostgreSQL reads some, too.
  await loadSettings(io, settings)
  // Imported here, because few commands need the server.
  const server = await import('@tiwala/server/rebind')
  const changes = await server
    .rebind(io.env, async (found) => {
      const warning = `${found.map(format).join('')}What is stored was made with the old values, and stays as it is.`
      if (!yes) await askToType(io, warning, 'rebind')
    })
    .catch((error: unknown) => {
      throw new UsageError(error instanceof Error ? error.message : inspect(error))
    })
  const text = changes.map(format).join('') || 'Nothing to change: the database belongs to these settings.\n'
  await printResult(io, output, { changes }, text)
}

const format = ({ name, bound, value }: BoundSetting): string =>
  `${name}: ${bound} -> ${value ?? 'not set'}\n`
