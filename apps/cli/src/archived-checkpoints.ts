import { parseJson } from './audit-entries.ts'
import { type Io, readLines } from './io.ts'
import { UsageError } from './usage-error.ts'

/** A copy of a checkpoint, stored outside the service. A copy from a log line has no `signed`. */
export type ArchivedCheckpoint = { checkpoint: number; root: string; signed?: string }

/** Longer than one checkpoint that is printed as JSON over several lines. */
const MAX_CHARACTERS = 64 * 1024

/**
 * Reads archived checkpoints from one of two kinds of file:
 * - one checkpoint, as "tiwala audit checkpoint --json" prints it;
 * - a log of the service, of any length. Lines that name a sealed checkpoint are read, even with the prefix
 *   of a log collector before the JSON. Other lines are ignored.
 */
export async function readArchivedCheckpoints(io: Io, path: string): Promise<ArchivedCheckpoint[]> {
  const checkpoints: ArchivedCheckpoint[] = []
  let text = ''
  for await (const line of readLines(io, path)) {
    if (text.length < MAX_CHARACTERS) text += `${line}\n`
    const value = parseJson(line.slice(Math.max(0, line.indexOf('{'))))
    if (isArchivedCheckpoint(value)) checkpoints.push(value)
  }
  const document = checkpoints.length ? undefined : parseJson(text)
  if (isArchivedCheckpoint(document)) checkpoints.push(document)
  if (!checkpoints.length)
    throw new UsageError(
      '--kept: the file holds no checkpoint. ' +
        'Give the output of "tiwala audit checkpoint <checkpoint> --json", ' +
        'or a service log that names sealed checkpoints.',
    )
  return checkpoints
}

function isArchivedCheckpoint(value: unknown): value is ArchivedCheckpoint {
  const { checkpoint, root, signed } = (value ?? {}) as Record<string, unknown>
  return (
    Number.isSafeInteger(checkpoint) &&
    typeof root === 'string' &&
    /^[\w-]{43}$/.test(root) &&
    (signed === undefined || typeof signed === 'string')
  )
}
