import { createInterface } from 'node:readline'
import { parse } from './audit-entries.ts'
import { type Io, openSource } from './io.ts'
import { UsageError } from './usage-error.ts'

/** Without `signed` where only a line of the log was kept. */
export type KeptCheckpoint = { checkpoint: number; root: string; signed?: string }

/** More than one checkpoint as JSON over several lines. */
const MOST_CHARACTERS = 64 * 1024

/**
 * Reads one checkpoint as "tiwala audit checkpoint --json" prints it, or a log of the service of any length: the lines that name a
 * sealed checkpoint are taken, also behind what a log collector writes in front of them, and all others are ignored.
 */
export async function readKeptCheckpoints(io: Io, path: string): Promise<KeptCheckpoint[]> {
  const kept: KeptCheckpoint[] = []
  let text = ''
  for await (const line of createInterface({ input: openSource(io, path), crlfDelay: Infinity })) {
    if (text.length < MOST_CHARACTERS) text += `${line}\n`
    const found = parse(line.slice(Math.max(0, line.indexOf('{'))))
    if (isKept(found)) kept.push(found)
  }
  const whole = kept.length ? undefined : parse(text)
  if (isKept(whole)) kept.push(whole)
  if (!kept.length)
    throw new UsageError(
      '--kept: a file as "tiwala audit checkpoint <checkpoint> --json" writes it is needed, or a log of the service that names sealed checkpoints.',
    )
  return kept
}

function isKept(found: unknown): found is KeptCheckpoint {
  const { checkpoint, root, signed } = (found ?? {}) as Record<string, unknown>
  return (
    Number.isSafeInteger(checkpoint) &&
    typeof root === 'string' &&
    /^[\w-]{43}$/.test(root) &&
    (signed === undefined || typeof signed === 'string')
  )
}
