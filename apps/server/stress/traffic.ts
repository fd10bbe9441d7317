// Closed-loop load of partners and citizens at several processes, with a ledger of every acknowledged action.
// Each of 16 callers runs one journey after the other, in turns:
// - consent: issue a QR value, request an authorization, accept it, inquire;
// - sign-in: issue an exchange code, redeem it, authenticate with the access token.
// A request without a response, or with 503, is sent again to a random process. A used code or token is then
// no fault, because the lost request may have used it. Any other refusal is a fault.
// Example: `const traffic = startTraffic(servers)`, kill a server, `await traffic.end()`. Then
// `findInconsistencies` compares `traffic.ledger` with the database.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '@tiwala/contract'
import { type ApiClient, refusalOf } from '../test/kit/api-client.ts'
import type { Servers } from './servers.ts'

const CALLERS = 16
/** Enough load, but little enough that a process can start beside it. */
const MAX_PAUSE_MS = 500
const RETRY_DELAY_MS = 50
/** The timeout of a response. */
const RESPONSE_TIMEOUT_MS = 15_000

/** `mark`: the tracking number, or the id of the request. The audit contains it. */
export type Action = {
  kind:
    | 'authorization.requested'
    | 'authorization.accepted'
    | 'profile.disclosed'
    | 'code.redeemed'
    | 'sso.authenticated'
  mark: string
}
export type Ledger = {
  acknowledged: Action[]
  /** Used codes and tokens, as acknowledged. */
  codes: string[]
  tokens: string[]
  /** The number of responses by outcome, including `no response`. */
  responses: Record<string, number>
  faults: string[]
  /** The longest time until a response, or until the end of the connection. */
  slowestMs: number
}
type Outcome = {
  outcome: string
  body: Record<string, unknown>
  state: string | null
  requestId: string
  isFirst: boolean
}
type AsCitizen = { Authorization: string }
type SendRequest = (api: ApiClient) => Promise<Response>

/** A complete response. `undefined`: the connection ended before. `late`: neither happened in time. */
async function readResponse(call: Promise<Response>): Promise<Response | 'late' | undefined> {
  const read = call
    .then(async (response) => new Response(await response.text(), response))
    .catch(() => undefined)
  const timeout = new AbortController()
  const late = sleep(RESPONSE_TIMEOUT_MS, 'late' as const, { signal: timeout.signal })
  return Promise.race([read, late.catch(() => undefined)]).finally(() => timeout.abort())
}

/** `clients` may change meanwhile: each request goes to one of them. */
export function startTraffic({ clients }: Pick<Servers, 'clients'>) {
  const ledger: Ledger = { acknowledged: [], codes: [], tokens: [], responses: {}, faults: [], slowestMs: 0 }
  let endsAtMs = Infinity
  const count = (outcome: string) => void (ledger.responses[outcome] = (ledger.responses[outcome] ?? 0) + 1)
  const acknowledge = (kind: Action['kind'], mark: string) => void ledger.acknowledged.push({ kind, mark })

  /** Tries processes until one responds. `isFirst`: no earlier try can have reached a process. */
  async function sendUntilResponse(call: SendRequest): Promise<Outcome> {
    for (let tries = 0; performance.now() < endsAtMs + RESPONSE_TIMEOUT_MS; tries++) {
      const startedAtMs = performance.now()
      const read = await readResponse(call(clients[Math.floor(Math.random() * clients.length)]!))
      ledger.slowestMs = Math.max(ledger.slowestMs, performance.now() - startedAtMs)
      if (read === 'late') ledger.faults.push(`neither a response nor an end in ${RESPONSE_TIMEOUT_MS} ms`)
      const response = read === 'late' ? undefined : read
      const outcome = !response ? 'no response' : response.ok ? '200' : await refusalOf(response.clone())
      count(outcome)
      if (response && outcome !== '503 unavailable') {
        const { headers } = response
        const [state, requestId] = [headers.get('x-authorization-state'), headers.get('x-request-id')!]
        return {
          outcome,
          body: (await response.json()) as Outcome['body'],
          state,
          requestId,
          isFirst: tries === 0,
        }
      }
      if (response && !(Number(response.headers.get('retry-after')) > 0))
        ledger.faults.push('503 without Retry-After')
      await sleep(RETRY_DELAY_MS)
    }
    throw new Error('no process responds')
  }
  async function expectOk(what: string, call: SendRequest): Promise<Outcome> {
    const response = await sendUntilResponse(call)
    if (response.outcome !== '200') throw new Error(`${what}: ${response.outcome}`)
    return response
  }
  const create = async (id: OperationId, headers: AsCitizen, json: object, field: string) =>
    String((await expectOk(id, (api) => api.send(id, { headers, json }))).body[field])

  async function runConsentJourney(asCitizen: AsCitizen): Promise<void> {
    const qrValue = await create('issueQrCode', asCitizen, { purpose: 'inquire' }, 'qr_value')
    const { body } = await expectOk('request', (api) => api.request(qrValue))
    const trackingNo = (body['data'] as { tracking_no: string }).tracking_no
    acknowledge('authorization.requested', trackingNo)
    await expectOk('accept', (api) => api.accept(trackingNo, asCitizen))
    acknowledge('authorization.accepted', trackingNo)
    const { state, requestId } = await expectOk('inquire', (api) => api.inquire(trackingNo))
    if (state !== 'ACCEPTED') throw new Error(`inquire: ${state} after it was accepted`)
    acknowledge('profile.disclosed', requestId)
  }

  /** Uses a value. A refusal is a fault, unless an earlier try without a response may have used the value. */
  async function consume(
    kind: Action['kind'],
    call: SendRequest,
    consumedError: string,
  ): Promise<Outcome | undefined> {
    const response = await sendUntilResponse(call)
    if (response.outcome === consumedError && !response.isFirst) return undefined
    if (response.outcome !== '200') throw new Error(`${kind}: ${response.outcome}`)
    acknowledge(kind, response.requestId)
    return response
  }
  async function runSignInJourney(asCitizen: AsCitizen): Promise<void> {
    const json = { partner_code: clients[0]!.partner.partner_code }
    const code = await create('issueExchangeCode', asCitizen, json, 'exchange_code')
    const exchanged = await consume(
      'code.redeemed',
      (api) => api.redeemExchangeCode(code),
      '422 exchange_code_invalid',
    )
    ledger.codes.push(code)
    if (!exchanged) return
    const token = String(exchanged.body['access_token'])
    await consume('sso.authenticated', (api) => api.signIn(token), '401 token_used')
    ledger.tokens.push(token)
  }

  // Without citizens who respond automatically: they would interfere.
  const citizens = clients[0]!.citizens.filter(
    ({ behavior }) => behavior === 'manual' || behavior === 'ignores',
  )
  async function runJourneys(caller: number): Promise<void> {
    for (let turn = caller; endsAtMs === Infinity; turn++) {
      const asCitizen = { Authorization: `Bearer ${citizens[turn % citizens.length]!.token}` }
      const journey = turn % 2 ? runConsentJourney(asCitizen) : runSignInJourney(asCitizen)
      await journey.catch((error: Error) => ledger.faults.push(error.message))
      await sleep(Math.random() * MAX_PAUSE_MS)
    }
  }
  const running = Promise.all(Array.from({ length: CALLERS }, (_, caller) => runJourneys(caller)))
  const end = async () => {
    endsAtMs = Math.min(endsAtMs, performance.now())
    await running
  }
  return { ledger, end, [Symbol.asyncDispose]: end }
}
