import type { Input } from './command-context.ts'
import type { OperatorTransport } from './connect.ts'
import { type OperationId, operationOf, resolve } from './document.ts'

export type Page = { next_cursor?: string | null }

/** Reads all pages, one after another. Without a `limit` in the query, it asks for the longest pages. */
export async function* paginate(
  call: OperatorTransport,
  id: OperationId,
  { path, query }: Input,
): AsyncGenerator<Page> {
  const maxLimit = operationOf(id)
    .parameters?.map(resolve)
    .find(({ name }) => name === 'limit')?.schema.maximum
  for (let cursor: string | null | undefined; cursor !== null;) {
    const input = { path, query: { limit: maxLimit, ...query, ...(cursor !== undefined && { cursor }) } }
    const { body } = await call(id, input as never)
    yield body
    cursor = (body as Page).next_cursor ?? null
  }
}
