// Follows the inbox of a sandbox, and sends each event to a server as the service would: the same body, id and
// signature. It asks the inbox every second. An event is new if its id has not arrived so often before, so that a
// repeated delivery is sent again, too. After an abort, nothing more is sent.
import { setTimeout } from 'node:timers/promises'
import { assertHttpUrl } from '../check-arguments.ts'
import { signBody } from '../sign-test-event.ts'

/** An event as the inbox has it. */
type InboxEvent = {
  received_at: string
  attempts: number
  webhook_id: string | null
  webhook_timestamp: string | null
  webhook_signature: string | null
  signature_ok: boolean
  body: string
}

export type FollowOptions = {
  sandbox: string
  secret: string | undefined
  target: string
  replay: boolean
  signal: AbortSignal
  print: (line: string) => void
}

const POLL_MS = 1_000
const POLL_TIMEOUT_MS = 10_000
const SEND_TIMEOUT_MS = 15_000
/** A receiver refuses a signature after 300 s. */
const MAX_AGE_MS = 240_000

export function follow({ sandbox, target, replay, signal, print, ...options }: FollowOptions) {
  const address = addressOf(sandbox)
  const seen = new Set<string>()
  let arrived: InboxEvent[] = []
  let { secret } = options
  /** One event is sent after the other, in the order in which they arrived. */
  let sending = Promise.resolve()
  async function sendAfter(earlier: Promise<void>, events: InboxEvent[]): Promise<void> {
    await earlier
    for (const event of events) {
      if (signal.aborted) return
      const outcome = await forward(event, target, secret, signal)
      if (!signal.aborted) print(`${describe(event)}  ${outcome}`)
    }
  }
  const send = (events: InboxEvent[]) => void (sending = sendAfter(sending, events))

  async function poll(isFirst: boolean): Promise<void> {
    const events = (await readJson<{ events: InboxEvent[] }>(`${address}/inbox.json`, signal)).events
    arrived = events.toReversed()
    const fresh = arrived.filter((event) => !seen.has(keyOf(event)))
    for (const event of fresh) seen.add(keyOf(event))
    if (!isFirst || replay) send(fresh)
  }

  async function run(): Promise<void> {
    if (secret === undefined && address.endsWith('/sandbox')) {
      const { partner } = await readJson<{ partner: { webhook_secret: string } }>(
        `${address}/bootstrap.json`,
        signal,
      )
      secret = partner.webhook_secret
    }
    await poll(true)
    print(`Events of ${address} go to ${target}. r: send the last again, a: all, q: end.`)
    let isLost = false
    while (true) {
      await setTimeout(POLL_MS, undefined, { signal })
      try {
        await poll(false)
        isLost = false
      } catch (error) {
        if (signal.aborted || error instanceof EndedError) throw error
        if (!isLost) print(`${(error as Error).message}. Trying again.`)
        isLost = true
      }
    }
  }

  return {
    /** Resolves as soon as the signal aborts. */
    ended: run().catch((error: unknown) => {
      if (!signal.aborted) throw error
    }),
    /** Sends the newest events again, with the ids that they have. */
    repeat: (count: number) => send(arrived.slice(-count)),
  }
}

/** The sandbox has ended, so asking again is useless. */
class EndedError extends Error {}

/** `http://localhost:8080`, the address of a sandbox, or that of its inbox. */
function addressOf(sandbox: string): string {
  assertHttpUrl('--sandbox', sandbox)
  const address = sandbox.replace(/\/+$/, '').replace(/\/inbox(\.json)?$/, '')
  return new URL(address).pathname === '/' ? `${address}/sandbox` : address
}

async function readJson<Body>(url: string, signal: AbortSignal): Promise<Body> {
  // A connection may have died silently while the machine slept.
  const timeLimited = AbortSignal.any([signal, AbortSignal.timeout(POLL_TIMEOUT_MS)])
  const noResponse = (error: unknown): never => {
    throw new Error(`${new URL(url).origin} does not respond`, { cause: error })
  }
  const response = await fetch(url, { signal: timeLimited }).catch(noResponse)
  const text = await response.text().catch(noResponse)
  const body = parse(text)
  if (response.status === 404) throw new EndedError(`${url}: there is no such sandbox, or it has ended`)
  if (!response.ok || !body || typeof body !== 'object')
    throw new Error(`${url} responds with ${response.status}`)
  return body as Body
}

const keyOf = ({ webhook_id, attempts, received_at }: InboxEvent) =>
  `${webhook_id ?? received_at} ${attempts}`

/** Sends an event, and returns what happened. Anyone can post to an inbox, so a forgery goes nowhere. */
async function forward(
  event: InboxEvent,
  target: string,
  secret: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (!event.signature_ok) return 'not sent: the signature is not that of the service'
  const startedAtMs = performance.now()
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: await headersOf(event, secret),
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return `${response.status} in ${Math.round(performance.now() - startedAtMs)} ms`
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string | number; message: string }
    return `no response: ${typeof code === 'string' ? code : message}`
  }
}

/** The signature of the service, or a new one if the event is too old for a receiver. */
async function headersOf(event: InboxEvent, secret: string | undefined): Promise<Record<string, string>> {
  const id = event.webhook_id!
  const isOld = Math.abs(Date.now() - Number(event.webhook_timestamp) * 1000) > MAX_AGE_MS
  if (isOld && secret !== undefined) return signBody(event.body, secret, id, new Date())
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': event.webhook_timestamp!,
    'webhook-signature': event.webhook_signature!,
  }
}

/** One line: when, what, and of which record. Anyone can post any text to an inbox. */
function describe({ received_at, attempts, body }: InboxEvent): string {
  const { type, data } = fieldsOf(body) as { type?: unknown; data?: Record<string, unknown> }
  const [name, state, record] = [type, data?.['state'], data?.['tracking_no']].map((value) =>
    typeof value === 'string' ? value.replaceAll(/[^\w.]/g, '') : '',
  )
  const time = new Date(received_at).toTimeString().slice(0, 8)
  const attempt = attempts > 1 ? ` (attempt ${attempts})` : ''
  return `${time}  ${name!.slice(0, 40).padEnd(24)} ${state!.slice(0, 10).padEnd(10)} ${record!.slice(-4).padEnd(4)}${attempt}`
}

const fieldsOf = (body: string): object => (parse(body) as object | null | undefined) ?? {}

/** `undefined`: the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
