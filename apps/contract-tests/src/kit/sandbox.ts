import { setTimeout } from 'node:timers/promises'
import type { Schemas } from '@tiwala/contract'
import type { ListedRequest, CreatedSandbox, InboxEvent } from '@tiwala/server/sandbox-bootstrap'
import { json } from './body-forms.ts'
import { createClients } from './sandbox-bootstrap.ts'

type Received = Partial<Schemas['Error']> & { requests?: ListedRequest[]; events?: InboxEvent[] }

/** One address may create five sandboxes in a second, and the tests of a file may be faster. */
async function postSandbox(url: string): Promise<Response> {
  const response = await fetch(`${url}/sandbox`, { method: 'POST' })
  if (response.status !== 429 || response.headers.get('retry-after') !== '1') return response
  await setTimeout(1_000)
  return postSandbox(url)
}

/** A sandbox of a service, as the sandbox page uses it. */
export async function createSandbox(url: string) {
  const response = await postSandbox(url)
  if (response.status !== 201) throw new Error(`POST /sandbox: ${response.status} ${await response.text()}`)
  const own = (await response.json()) as CreatedSandbox
  const address = `${url}/sandbox/${own.sandbox_id}`
  async function send(method: string, path: string, body?: object) {
    const sent = await fetch(path ? `${address}/${path}` : address, { method, ...(body && json(body)) })
    const text = await sent.text()
    return { status: sent.status, body: (text ? JSON.parse(text) : {}) as Received }
  }
  return {
    ...own,
    ...createClients(own),
    address,
    manual: own.citizens.find(({ behavior }) => behavior === 'manual')!,
    change: send,
    advance: (seconds: number) => send('POST', 'clock', { advance_seconds: seconds }),
    requests: async () => (await send('GET', 'requests')).body.requests!,
    events: async () => (await send('GET', 'inbox.json')).body.events!,
  }
}

export type Sandbox = Awaited<ReturnType<typeof createSandbox>>
