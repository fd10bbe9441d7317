import { setTimeout as wait } from 'node:timers/promises'
import { type Body, type DocumentName, type OperationId, type Path, type Query, routes, type Success } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }

const documents = { partner, 'citizen-app': citizenApp, operator }
const MOST_AT_ONCE = 32
/** A server that has just started may be too busy to answer all of them in time. */
const MOST_TRIES = 5

type Input<Id extends OperationId> = { headers: Record<string, string>; body?: Body<Id>; path?: Path<Id>; query?: Query<Id> }
export type Call = <Id extends OperationId>(id: Id, input: Input<Id>) => Promise<Success<Id>>

/** Where an operation lives on a server. */
export function locate(id: OperationId): { method: string; path: string } {
  const name = (Object.keys(routes) as DocumentName[]).find((document) => id in routes[document])!
  const { method, path } = (routes[name] as Record<string, { method: string; path: string }>)[id]!
  const base = new URL(documents[name].servers[0]!.url).pathname.replace(/\/$/, '')
  return { method: method.toUpperCase(), path: base + path }
}

/** Calls operations of a server; who is too busy is asked again, any other refusal ends the bench. */
export const callsTo =
  (origin: string): Call =>
  async (id, { headers, body, path, query }) => {
    const to = locate(id)
    const filled = to.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent((path as Record<string, string>)[name]!))
    const isText = typeof body === 'string'
    const type = isText ? 'application/x-ndjson' : 'application/json'
    const url = `${origin}${filled}${query ? `?${String(new URLSearchParams(query as Record<string, string>))}` : ''}`
    const request = {
      method: to.method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': type }) },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    }
    for (let tries = 1; ; tries++) {
      const response = await fetch(url, request)
      if (response.ok) return (await response.json()) as never
      const refusal = `${id} was refused: ${response.status} ${await response.text()}`
      if (response.status !== 503 || tries === MOST_TRIES) throw new Error(refusal)
      await wait(Number(response.headers.get('Retry-After')) * 1_000)
    }
  }

/** In the order given, several at once. */
export async function inParallel<Item, Made>(items: readonly Item[], make: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made = Array.from<Made>({ length: items.length })
  let next = 0
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) made[index] = await make(items[index]!)
  }
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, work))
  return made
}
