import proxyaddr from 'proxy-addr'
import type { Config, Listener } from '../config.ts'
import { reasonOf } from '../describe-error.ts'
import { type Finding, problem, messageOf, note, ok } from './finding.ts'

const TIMEOUT_MS = 5_000

/** Whether the service answers at its own addresses, and through its proxies at its public URL. */
export async function checkAddresses(config: Config): Promise<Finding[]> {
  const isTrusted = proxyaddr.compile(config.trustedProxies)
  const own = await Promise.all(config.listeners.map((listener) => checkListener(listener, isTrusted)))
  const isRunning = own.every(({ status }) => status === 'ok')
  const hasPages = config.listeners.some((listener) => listener.hasPages)
  return hasPages ? [...own, await checkPublicUrl(config.publicUrl, isRunning)] : own
}

async function checkListener(
  { host, port, setting }: Listener,
  isTrusted: (address: string, hop: number) => boolean,
): Promise<Finding> {
  const about = `address ${host}:${port}`
  const connectable = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host
  const name = connectable.includes(':') ? `[${connectable}]` : connectable
  const answer = await request(`http://${name}:${port}/readyz`)
  if (answer.kind === 'unreachable')
    return answer.reason.startsWith('ECONNREFUSED')
      ? note(about, 'nothing listens yet: start the service, then run the doctor again')
      : problem(about, `cannot be reached (${answer.reason}). Check ${setting}.`)
  if (answer.kind === 'other')
    return problem(about, `another program listens there. Stop it, or change ${setting}.`)
  const { status, ignored_proxy } = answer.body
  if (typeof ignored_proxy === 'string')
    return problem(
      about,
      isTrusted(ignored_proxy, 0)
        ? `Forwarded of ${ignored_proxy} is ignored. Let this proxy set X-Forwarded-For.`
        : `X-Forwarded-For of ${ignored_proxy} is ignored. If this is your proxy, add it to ` +
            'TIWALA_TRUSTED_PROXIES.',
    )
  return status === 'ok'
    ? ok(about, 'the service is ready')
    : problem(about, `the service is not ready: ${JSON.stringify(answer.body)}`)
}

async function checkPublicUrl(publicUrl: string, isRunning: boolean): Promise<Finding> {
  const about = 'public URL'
  if (!isRunning) return note(about, `${publicUrl} is checked once the service runs`)
  const answer = await request(`${publicUrl}/healthz`)
  if (answer.kind === 'service') return ok(about, `${publicUrl} leads to the service`)
  const what = answer.kind === 'other' ? 'does not lead to this service' : `fails (${answer.reason})`
  return problem(about, `${publicUrl} ${what}. Check TIWALA_PUBLIC_URL, DNS, the proxy and its certificate.`)
}

type Answer =
  | { kind: 'service'; body: Record<string, unknown> }
  | { kind: 'other' }
  | { kind: 'unreachable'; reason: string }

async function request(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = parse(await response.text())
    return body && typeof body['status'] === 'string' ? { kind: 'service', body } : { kind: 'other' }
  } catch (error) {
    return { kind: 'unreachable', reason: reasonOf(error) || messageOf(error) }
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
