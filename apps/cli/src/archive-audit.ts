// `tiwala audit archive`: moves closed months of the audit from the database to compressed files.
import { inspect } from 'node:util'
import type { Io } from './io.ts'
import { loadSettings } from './load-settings.ts'
import { type Output, printResult } from './print-value.ts'
import { createProgress } from './progress.ts'
import { UnavailableError } from './unavailable-error.ts'
import { UsageError } from './usage-error.ts'

export type ArchiveOptions = { output: Output; settings?: string; until?: string }

export async function archiveAudit(io: Io, { output, settings, until = '' }: ArchiveOptions): Promise<void> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(until)) throw new UsageError('--until: give a month such as 2026-01.')
  // Into the environment, since the driver of PostgreSQL reads some, too.
  await loadSettings(io, settings)
  const progress = createProgress(io)
  // Imported here, because few commands need the server.
  const server = await import('@tiwala/server/archive-audit')
  let hasBegun = false
  const archived = await server
    .archiveAudit(io.env, until, ({ name, step, done, total }) => {
      hasBegun = true
      progress.show(done, total, `${name}: ${step === 'write' ? 'written' : 'verified'} ${done} checkpoints`)
    })
    .catch((error: unknown) => {
      const message = error instanceof Error ? error.message : inspect(error)
      throw hasBegun ? new UnavailableError(message) : new UsageError(message)
    })
    .finally(() => progress.end())
  const text = archived.length ? `In the archive now: ${archived.join(', ')}.` : 'Nothing to archive.'
  await printResult(io, output, { archived }, `${text}\n`)
}
