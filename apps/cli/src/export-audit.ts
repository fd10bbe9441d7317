import { open, rename } from 'node:fs/promises'
import { fetchEntries } from './audit-entries.ts'
import type { CommandContext } from './command-context.ts'
import { toSafeJson } from './escape-text.ts'
import { print, printMessage } from './io.ts'
import { createProgress } from './progress.ts'
import { withRetry } from './with-retry.ts'

type ExportContext = Pick<CommandContext, 'io' | 'options' | 'connect'>
type Counts = { keys: number; checkpoints: number; events: number }

/** Writes everything that a verification without the service needs: one `AuditEntry` as JSON per line. */
export async function exportAudit({ io, options, connect }: ExportContext): Promise<void> {
  const path = options.file === '-' ? undefined : options.file!
  const [call, progress] = [withRetry(await connect(), io), createProgress(io)]
  const counts: Counts = { keys: 0, checkpoints: 0, events: 0 }
  // The file gets its final name only when it is complete.
  const file = path === undefined ? undefined : await open(`${path}.part`, 'w')
  let newestId: number | undefined
  try {
    for await (const entry of fetchEntries(call)) {
      const line = `${toSafeJson(entry)}\n`
      await (file ? file.write(line) : print(io.stdout, line))
      counts['key' in entry ? 'keys' : 'checkpoint' in entry ? 'checkpoints' : 'events']++
      if (!('event' in entry)) continue
      newestId ??= entry.event.id
      progress.show(newestId - entry.event.id, newestId, `${counts.events} events`)
    }
  } finally {
    progress.end()
    await file?.close()
  }
  if (path !== undefined) await rename(`${path}.part`, path)
  const destination = path === undefined ? '' : `, in ${path}`
  printMessage(
    io,
    `Keys: ${counts.keys}, checkpoints: ${counts.checkpoints}, events: ${counts.events}${destination}.`,
  )
}
