// Reads the catalogue of error codes: spec/errors/<code>.yaml.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isSpecFile, readYaml } from './spec-files.ts'

/** One error code. Texts are Markdown with code spans only. */
export type CatalogueEntry = {
  status: number
  /** The text of `message`, unless the service knows more about the request. */
  message: string
  meaning: string
  /** What the caller does. */
  action: string
  /** What the caller can tell the citizen. */
  citizen: string
  /** The headers that every response with this code has, with example values. */
  headers?: Record<string, string | number>
  /** The fields of the example that differ from `message`. */
  example?: { message?: string; errors?: Record<string, string[]> }
}
export type Catalogue = Record<string, CatalogueEntry>

const REQUEST_ID = 'req_5Hb2pYJ7Qn0sVtXw8RkZc1'

/** The whole catalogue, ordered by status and code. */
export function readCatalogue(spec: string): Catalogue {
  const files = readdirSync(join(spec, 'errors')).filter(isSpecFile)
  const entries = files.map((file): [string, CatalogueEntry] => {
    const entry = readYaml(spec, `errors/${file}`) as Partial<CatalogueEntry> | null
    for (const field of ['status', 'message', 'meaning', 'action', 'citizen'] as const)
      if (!entry?.[field])
        throw new Error(
          `spec/errors/${file}:1:1 The error code has no ${field}. Write it, as in the other files.`,
        )
    return [file.replace(/\.yaml$/, ''), entry as CatalogueEntry]
  })
  return Object.fromEntries(
    entries.toSorted(([a, { status: left }], [b, { status: right }]) => left - right || (a < b ? -1 : 1)),
  )
}

/** The example body of a code. */
export const exampleBody = (code: string, { status, message, example }: CatalogueEntry) => ({
  status,
  message: example?.message ?? message,
  error: code,
  ...(example?.errors && { errors: example.errors }),
  request_id: REQUEST_ID,
})
