import { type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { OperationId } from '@tiwala/contract'
import { assertKeepsContract, locate } from './contract-check.ts'

export type RawRequest = {
  /** A header with several values is sent several times. */
  headers?: OutgoingHttpHeaders
  query?: string
  /** Several chunks are sent without telling their length first. */
  body?: string[]
}

/** A request as `fetch` would refuse to write it. The answer is held against the contract all the same. */
export async function sendRaw(url: string, id: OperationId, { headers = {}, query, body = [] }: RawRequest): Promise<Response> {
  const { method, path } = locate(id)
  const response = await new Promise<Response>((resolve, reject) => {
    const outgoing = request(`${url}${path}${query ? `?${query}` : ''}`, { method, headers, agent: false }, (incoming) => {
      const given = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
        values!.map((value): [string, string] => [name, value]),
      )
      text(incoming).then((content) => resolve(new Response(content, { status: incoming.statusCode!, headers: given })), reject)
    })
    outgoing.on('error', reject)
    for (const chunk of body.slice(0, -1)) outgoing.write(chunk)
    outgoing.end(body.at(-1))
  })
  await assertKeepsContract(id, response)
  return response
}
