// Events of a sandbox on the internet go only to servers that expect them. Otherwise anyone could have the service
// send requests to a server of others.
import { randomBytes, randomUUID } from 'node:crypto'
import { Failure } from '../failure.ts'
import { createWindowCounter } from '../limits/window-counter.ts'
import type { Service } from '../operation.ts'
import { signHeaders } from './deliver.ts'
import { createSender, type Sender, type SendResult } from './send.ts'
import { findSaltsInUse } from './webhook-secret.sql.ts'
import { webhookSecret } from './webhook-secret.ts'

const MINUTE_MS = 60_000
/** A server that does not expect events gets at most so many requests in a minute, from each process. */
const MAX_ASKED_PER_MINUTE = 6

const asked = createWindowCounter(MINUTE_MS)

/** Refuses a callback URL whose server does not check the signatures of the partner's events. */
export async function requireAgreement(service: Service, partnerId: number, url: string): Promise<void> {
  // A name with a dot at its end is the same name.
  if (asked.count(new URL(url).hostname.replace(/\.$/, '')) > MAX_ASKED_PER_MINUTE)
    throw new Failure('rate_limited', {
      retryAfterSeconds: Math.ceil(asked.msLeft() / 1_000),
      message: 'This server was asked several times in a minute whether it expects events',
    })
  const reason = await testReceiver(service, partnerId, url)
  if (reason) throw new Failure('validation_failed', { errors: { callback_url: [reason] } })
}

/** Tests whether a server checks the signatures of the partner's events. Returns what it does instead. */
export async function testReceiver(
  { db, keys, config }: Service,
  partnerId: number,
  url: string,
  timeoutMs?: number,
): Promise<string | undefined> {
  const secrets = (await findSaltsInUse(db, partnerId)).map((salt) => webhookSecret(keys, salt))
  const sender = createSender({ ...config.callbackAddresses, ...(timeoutMs && { timeoutMs }) })
  return findDisagreement(sender, url, secrets).finally(() => sender.close())
}

/**
 * Sends a test event with a wrong signature, then one with the right one. Only a server that knows the secret
 * refuses the first (4xx) and accepts the second (2xx). Returns what the server does instead.
 */
export async function findDisagreement(
  sender: Pick<Sender, 'send'>,
  url: string,
  secrets: string[],
): Promise<string | undefined> {
  const send = (signedWith: string[]) => {
    const body = JSON.stringify({
      type: 'webhook.test',
      timestamp: new Date().toISOString(),
      data: { is_test: true },
    })
    const headers = signHeaders(signedWith, { webhookId: `evt_${randomUUID().replaceAll('-', '')}`, body })
    return sender.send({ url, headers, body, signal: new AbortController().signal })
  }
  const wrong = await send([`whsec_${randomBytes(32).toString('base64')}`])
  if (!hasStatus(wrong, 4))
    return `must refuse an event with a wrong signature (4xx), so that we know that it expects events: ${outcomeOf(wrong)}`
  const right = await send(secrets)
  if (!hasStatus(right, 2)) return `must accept an event with the right signature (2xx): ${outcomeOf(right)}`
  return undefined
}

const hasStatus = (result: SendResult, hundreds: number): boolean =>
  'status' in result && Math.floor(result.status / 100) === hundreds

const outcomeOf = (result: SendResult): string =>
  'status' in result ? `it answered ${result.status}` : `the request failed (${result.failure})`
