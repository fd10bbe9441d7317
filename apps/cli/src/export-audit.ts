import { open, rename } from 'node:fs/promises'
import { fetchEntries } from './audit-entries.ts'
import type { CommandContext } from './command-context.ts'
import { toSafeJson } from './escape-text.ts'
import { print, printMessage } from './io.ts'
import { createProgress } from './progress.ts'
import { withRetry } from './with-retry.ts'

type Counts = { keys: number; checkpoints: number; events: number }

/** Writes all that is needed to check the audit without us: a JSON object on each line, `{"key"}`, `{"checkpoint"}` or `{"event"}`. */
export async function exportAudit({ io, options, connect }: Pick<CommandContext, 'io' | 'options' | 'connect'>): Promise<void> {
  const path = options.file === '-' ? undefined : options.file!
  const [call, progress] = [withRetry(await connect(), io), createProgress(io)]
  const counts: Counts = { keys: 0, checkpoints: 0, events: 0 }
  // A file that bears the name is a whole one.
  const file = path === undefined ? undefined : await open(`${path}.part`, 'w')
  let newest: number | undefined
  try {
    for await (const entry of fetchEntries(call)) {
      const line = `${toSafeJson(entry)}\n`
      await (file ? file.write(line) : print(io.stdout, line))
      counts['key' in entry ? 'keys' : 'checkpoint' in entry ? 'checkpoints' : 'events']++
      if (!('event' in entry)) continue
      newest ??= entry.event.id
      progress.show(newest - entry.event.id, newest, `${counts.events} events`)
    }
  } finally {
    progress.end()
    await file?.close()
  }
  if (path !== undefined) await rename(`${path}.part`, path)
  printMessage(
    io,
    `Keys: ${counts.keys}, checkpoints: ${counts.checkpoints}, events: ${counts.events}${path === undefined ? '' : `, in ${path}`}.`,
  )
}
