import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { createCallbackClient, signatureOf } from './callback-client.ts'
import type { TestService } from './test-service.ts'

export type Sent = { id?: string; timestamp?: string; signature?: string }

export const event = (type: string, data: object = {}) =>
  JSON.stringify({ type, timestamp: '2026-11-20T08:00:12.345Z', data })

/** Reads the inbox of the sandbox, and posts to it without credentials. */
export async function createInboxClient(service: TestService) {
  const { inbox: url, arrivals, untilArrived } = createCallbackClient(service)
  const { partner } = (await (await fetch(`${service.url}/sandbox/bootstrap.json`)).json()) as Bootstrap
  const secret = partner.webhook_secret
  let count = 0

  function post(body: string, sent: Sent = {}): Promise<Response> {
    const headers = Object.entries(sent).map(([name, value]): [string, string] => [`webhook-${name}`, value])
    return fetch(url, { method: 'POST', headers, body })
  }

  /** Posts an event with the signature of the sandbox partner, `ageSeconds` after its timestamp. */
  async function postSigned(body: string, { id = `evt_${++count}`, ageSeconds = 0 } = {}) {
    const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds)
    const signature = signatureOf(secret, { webhook_id: id, webhook_timestamp: timestamp, body })
    return { id, timestamp, signature, response: await post(body, { id, timestamp, signature }) }
  }

  return {
    url,
    secret,
    arrivals,
    untilArrived,
    post,
    postSigned,
    newest: async () => (await arrivals())[0]!,
    page: async () => (await fetch(url)).text(),
  }
}
