import { createInterface } from 'node:readline'
import { parseJson } from './audit-entries.ts'
import { type Io, openSource } from './io.ts'
import { UsageError } from './usage-error.ts'

/** Without `signed` where only a line of the log was kept. */
export type ArchivedCheckpoint = { checkpoint: number; root: string; signed?: string }

/** More than one checkpoint as JSON over several lines. */
const MOST_CHARACTERS = 64 * 1024

/**
 * Reads one checkpoint as "tiwala audit checkpoint --json" prints it, or a log of the service of any length: the lines that name a
 * sealed checkpoint are taken, also behind what a log collector writes in front of them, and all others are ignored.
 */
export async function readArchivedCheckpoints(io: Io, path: string): Promise<ArchivedCheckpoint[]> {
  const kept: ArchivedCheckpoint[] = []
  let text = ''
  for await (const line of createInterface({ input: openSource(io, path), crlfDelay: Infinity })) {
    if (text.length < MOST_CHARACTERS) text += `${line}\n`
    const found = parseJson(line.slice(Math.max(0, line.indexOf('{'))))
    if (isArchivedCheckpoint(found)) kept.push(found)
  }
  const whole = kept.length ? undefined : parseJson(text)
  if (isArchivedCheckpoint(whole)) kept.push(whole)
  if (!kept.length)
    throw new UsageError(
      '--kept: a file as "tiwala audit checkpoint <checkpoint> --json" writes it is needed, or a log of the service that names sealed checkpoints.',
    )
  return kept
}

function isArchivedCheckpoint(found: unknown): found is ArchivedCheckpoint {
  const { checkpoint, root, signed } = (found ?? {}) as Record<string, unknown>
  return (
    Number.isSafeInteger(checkpoint) &&
    typeof root === 'string' &&
    /^[\w-]{43}$/.test(root) &&
    (signed === undefined || typeof signed === 'string')
  )
}
