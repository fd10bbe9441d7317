import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { OperationId } from '@tiwala/contract'
import { locate } from '@tiwala/kit/operations'
import { checkResponse } from '../contract-check/responses.ts'
import { report } from '../contract-check/traffic.ts'

export type RawRequest = {
  /** The client sends a header once for each of its values. */
  headers?: OutgoingHttpHeaders
  query?: string
  /** Parameters of the path, percent-encoded already. */
  path?: Record<string, string>
  /** Several chunks are sent without Content-Length. */
  body?: string[]
}

/** Sends a request that `fetch` refuses to send. The response is checked too. */
export async function sendRaw(
  url: string,
  id: OperationId,
  { headers = {}, query, path: filled = {}, body = [] }: RawRequest,
): Promise<Response> {
  const { method, path: template } = locate(id)
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? 'unknown')
  // Node frames the body of a `POST`, but not that of a `GET` or `DELETE`.
  const framing =
    body.length > 1
      ? { 'Transfer-Encoding': 'chunked' }
      : body.length
        ? { 'Content-Length': Buffer.byteLength(body[0]!) }
        : {}
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${path}${query ? `?${query}` : ''}`,
      { method, headers: { ...framing, ...headers }, agent: false },
      (incoming) => void receive(method, path, incoming).then(resolve, reject),
    )
    outgoing.on('error', reject)
    for (const chunk of body.slice(0, -1)) outgoing.write(chunk)
    outgoing.end(body.at(-1))
  })
}

/** Reads and checks a response that Node has received. */
export async function receive(
  method: string,
  pathname: string,
  incoming: IncomingMessage,
): Promise<Response> {
  const status = incoming.statusCode!
  const headers = Object.entries(incoming.headersDistinct).map(([name, values]): [string, string] => [
    name,
    values!.join(', '),
  ])
  // A stream of events does not end.
  const isStream = incoming.headers['content-type']?.startsWith('text/event-stream')
  const body = isStream ? void incoming.destroy() : await text(incoming)
  report(checkResponse({ method, pathname, status, headers: new Map(headers), body }))
  return new Response(body, { status, headers })
}
