import type { Schemas } from '@tiwala/contract'
import type { ListedRequest, PrivateBootstrap, PrivateInboxEvent } from '@tiwala/server/sandbox-bootstrap'
import { json } from './body-forms.ts'
import { createClients } from './sandbox-bootstrap.ts'

type Received = Partial<Schemas['Error']> & { requests?: ListedRequest[]; events?: PrivateInboxEvent[] }

/** A private sandbox of a service, as the sandbox page uses it. */
export async function createPrivateSandbox(url: string) {
  const response = await fetch(`${url}/sandbox`, { method: 'POST' })
  if (response.status !== 201) throw new Error(`POST /sandbox: ${response.status} ${await response.text()}`)
  const own = (await response.json()) as PrivateBootstrap
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
    manual: own.citizens.find(({ behaviour }) => behaviour === 'manual')!,
    change: send,
    advance: (seconds: number) => send('POST', 'clock', { advance_seconds: seconds }),
    requests: async () => (await send('GET', 'requests')).body.requests!,
    events: async () => (await send('GET', 'inbox')).body.events!,
  }
}

export type PrivateSandbox = Awaited<ReturnType<typeof createPrivateSandbox>>
