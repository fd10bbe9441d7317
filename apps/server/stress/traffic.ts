// What partner and citizens do at several processes while something is killed, and a ledger of what they were told.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '@tiwala/contract'
import { type People, refusalOf } from '../test/kit/api-client.ts'
import type { Servers } from './servers.ts'

const CALLERS = 16
/** Load, but not so much that nothing could start again beside it. */
const LONGEST_REST_MS = 500
const BEFORE_NEXT_TRY_MS = 50
/** An answer that has not come by then does not come. */
const PATIENCE_MS = 15_000

/** `mark`: a record's tracking number, or the request that obtained something; by it the audit knows the action. */
export type AdminAction = {
  kind: 'authorization.requested' | 'authorization.accepted' | 'profile.disclosed' | 'code.redeemed' | 'sso.authenticated'
  mark: string
}
export type Ledger = {
  acknowledged: AdminAction[]
  /** Used up, as was acknowledged. */
  codes: string[]
  tokens: string[]
  /** How often each answer was given; and how often none. */
  answers: Record<string, number>
  faults: string[]
}
type Answer = { words: string; body: Record<string, unknown>; state: string | null; requestId: string; isFirst: boolean }
type AsCitizen = { Authorization: string }
type Call = (people: People) => Promise<Response>

/** A whole answer, or none. */
async function answerTo(call: Promise<Response>): Promise<Response | undefined> {
  const read = call.then(async (response) => new Response(await response.text(), response)).catch(() => undefined)
  const patience = new AbortController()
  const late = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined)
  return Promise.race([read, late]).finally(() => patience.abort())
}

export function beginTraffic({ people }: Servers) {
  const ledger: Ledger = { acknowledged: [], codes: [], tokens: [], answers: {}, faults: [] }
  let endsAtMs = Infinity
  const count = (words: string) => void (ledger.answers[words] = (ledger.answers[words] ?? 0) + 1)
  const acknowledge = (kind: AdminAction['kind'], mark: string) => void ledger.acknowledged.push({ kind, mark })

  /** Tries one process after the other, until one has an answer. `isFirst`: no try before it may have been heard. */
  async function ask(call: Call): Promise<Answer> {
    for (let tries = 0; performance.now() < endsAtMs + PATIENCE_MS; tries++) {
      const response = await answerTo(call(people[Math.floor(Math.random() * people.length)]!))
      const words = !response ? 'no answer' : response.ok ? '200' : await refusalOf(response.clone())
      count(words)
      if (response && words !== '503 unavailable') {
        const { headers } = response
        const [state, requestId] = [headers.get('x-authorization-state'), headers.get('x-request-id')!]
        return { words, body: (await response.json()) as Answer['body'], state, requestId, isFirst: tries === 0 }
      }
      if (response && !(Number(response.headers.get('retry-after')) > 0)) ledger.faults.push('503 without Retry-After')
      await sleep(BEFORE_NEXT_TRY_MS)
    }
    throw new Error('nobody answers any more')
  }
  async function done(what: string, call: Call): Promise<Answer> {
    const answer = await ask(call)
    if (answer.words !== '200') throw new Error(`${what}: ${answer.words}`)
    return answer
  }
  const minted = async (id: OperationId, headers: AsCitizen, json: object, field: string) =>
    String((await done(id, (at) => at.send(id, { headers, json }))).body[field])

  async function consent(asCitizen: AsCitizen): Promise<void> {
    const qrValue = await minted('issueQrCode', asCitizen, { purpose: 'inquire' }, 'qr_value')
    const { body } = await done('request', (at) => at.request(qrValue))
    const trackingNo = (body['data'] as { tracking_no: string }).tracking_no
    acknowledge('authorization.requested', trackingNo)
    await done('accept', (at) => at.accept(trackingNo, asCitizen))
    acknowledge('authorization.accepted', trackingNo)
    const { state, requestId } = await done('inquire', (at) => at.inquire(trackingNo))
    if (state !== 'ACCEPTED') throw new Error(`inquire: ${state} after it was accepted`)
    acknowledge('profile.disclosed', requestId)
  }

  /** Uses something up. It may have been so by a try that nobody answered; else a refusal is a fault. */
  async function useUp(kind: AdminAction['kind'], call: Call, usedUp: string): Promise<Answer | undefined> {
    const answer = await ask(call)
    if (answer.words === usedUp && !answer.isFirst) return undefined
    if (answer.words !== '200') throw new Error(`${kind}: ${answer.words}`)
    acknowledge(kind, answer.requestId)
    return answer
  }
  async function signIn(asCitizen: AsCitizen): Promise<void> {
    const json = { partner_code: people[0]!.partner.partner_code }
    const code = await minted('issueExchangeCode', asCitizen, json, 'exchange_code')
    const exchanged = await useUp('code.redeemed', (at) => at.exchange(code), '422 exchange_code_invalid')
    ledger.codes.push(code)
    if (!exchanged) return
    const token = String(exchanged.body['access_token'])
    await useUp('sso.authenticated', (at) => at.signIn(token), '401 token_used')
    ledger.tokens.push(token)
  }

  // Who answers by itself would be in the way.
  const citizens = people[0]!.citizens.filter(({ behaviour }) => behaviour === 'manual' || behaviour === 'ignores')
  async function live(caller: number): Promise<void> {
    for (let turn = caller; endsAtMs === Infinity; turn++) {
      const asCitizen = { Authorization: `Bearer ${citizens[turn % citizens.length]!.token}` }
      const journey = turn % 2 ? consent(asCitizen) : signIn(asCitizen)
      await journey.catch((error: Error) => ledger.faults.push(error.message))
      await sleep(Math.random() * LONGEST_REST_MS)
    }
  }
  const running = Promise.all(Array.from({ length: CALLERS }, (_, caller) => live(caller)))
  const end = async () => {
    endsAtMs = Math.min(endsAtMs, performance.now())
    await running
  }
  return { ledger, end, [Symbol.asyncDispose]: end }
}
