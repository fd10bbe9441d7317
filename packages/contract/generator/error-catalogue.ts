// Reads the catalogue of error codes: spec/errors/<code>.yaml.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

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
export async function readCatalogue(spec: string): Promise<Catalogue> {
  const folder = join(spec, 'errors')
  const files = (await readdir(folder)).map(async (file): Promise<[string, CatalogueEntry]> => [
    file.replace(/\.yaml$/, ''),
    parse(await readFile(join(folder, file), 'utf8')) as CatalogueEntry,
  ])
  const entries = await Promise.all(files)
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
