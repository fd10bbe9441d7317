// `ETag` and `If-Match` (RFC 9110, sections 8.8.3 and 13.1.1). A statement that changes a row compares the tags with the
// row that it has locked, so that of two changes with the same `ETag` only one is made.
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

/** Any of these must be the present `ETag`. Null: the client does not ask for it. */
export type IfMatch = string[] | null

const TAG = /(W\/)?"[^"]*"/g

/** A weak tag (`W/`) never matches. `*` matches everything that exists. */
export const readIfMatch = (header: string | undefined): IfMatch =>
  header === undefined || header.trim() === '*'
    ? null
    : [...header.matchAll(TAG)].flatMap(([tag, weak]) => (weak ? [] : [tag]))

/** The `ETag` of what these columns show. */
export const etagOf = (columns: RawBuilder<unknown>): RawBuilder<string> =>
  sql`'"' || left(encode(sha256(convert_to(json_build_array(${columns})::text, 'UTF8')), 'hex'), 32) || '"'`

/**
 * The `ETag` of a body that several statements read. A change reads it after it has locked the partner, and compares it
 * in the same transaction.
 */
export const etagOfBody = (body: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32)}"`

export const matches = (etag: RawBuilder<unknown>, ifMatch: IfMatch): RawBuilder<boolean> =>
  sql`(${ifMatch}::text[] is null or ${etag} = any(${ifMatch}::text[]))`
