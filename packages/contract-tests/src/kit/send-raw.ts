import { type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { OperationId } from '@tiwala/contract'
import { assertMatchesContract, locate } from './contract-check.ts'

export type RawRequest = {
  /** The client sends a header once for each of its values. */
  headers?: OutgoingHttpHeaders
  query?: string
  /** Parameters of the path, percent-encoded already. */
  path?: Record<string, string>
  /** Several chunks are sent without Content-Length. */
  body?: string[]
}

/** Sends a request that `fetch` refuses to send. The response is validated against the contract too. */
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
  const response = await new Promise<Response>((resolve, reject) => {
    const outgoing = request(
      `${url}${path}${query ? `?${query}` : ''}`,
      { method, headers: { ...framing, ...headers }, agent: false },
      (incoming) => {
        const received = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
          values!.map((value): [string, string] => [name, value]),
        )
        const answer = (content: string) =>
          resolve(new Response(content, { status: incoming.statusCode!, headers: received }))
        // A stream of events does not end.
        if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
          incoming.destroy()
          answer('')
        } else text(incoming).then(answer, reject)
      },
    )
    outgoing.on('error', reject)
    for (const chunk of body.slice(0, -1)) outgoing.write(chunk)
    outgoing.end(body.at(-1))
  })
  await assertMatchesContract(id, response)
  return response
}
