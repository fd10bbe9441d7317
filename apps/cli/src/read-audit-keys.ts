import type { Schemas } from '@tiwala/contract'
import { type Io, readJson } from './io.ts'
import { UsageError } from './usage-error.ts'

/** The caller's own copy of the public keys (`--keys`). */
export async function readAuditKeys(io: Io, path: string): Promise<Schemas['AuditKey'][]> {
  const { keys } = Object(await readJson(io, path)) as { keys?: Schemas['AuditKey'][] }
  if (!Array.isArray(keys))
    throw new UsageError(
      '--keys: the file holds no list of keys. Give the output of "tiwala audit keys --json".',
    )
  return keys
}
