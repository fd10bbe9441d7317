import type { Input } from './command-context.ts'
import type { OperatorTransport } from './connect.ts'
import { responseFieldsOf, type OperatorId, operationOf, resolve } from './document.ts'

export type Page = { next_cursor?: string | null }

/** The rows of a page, under whatever name the document gives them. */
export function rowsOf(id: OperatorId, page: Page): Record<string, unknown>[] {
  const name = Object.entries(responseFieldsOf(id)).find(([, schema]) => resolve(schema).type === 'array')![0]
  return (page as Record<string, unknown>)[name] as Record<string, unknown>[]
}

/** Page after page, the longest there are unless a length is asked for. */
export async function* paginate(call: OperatorTransport, id: OperatorId, { path, query }: Input): AsyncGenerator<Page> {
  const longest = operationOf(id)
    .parameters?.map(resolve)
    .find(({ name }) => name === 'limit')?.schema.maximum
  for (let cursor: string | null | undefined; cursor !== null;) {
    const input = { path, query: { limit: longest, ...query, ...(cursor !== undefined && { cursor }) } }
    const { body } = await call(id, input as never)
    yield body
    cursor = (body as Page).next_cursor ?? null
  }
}
