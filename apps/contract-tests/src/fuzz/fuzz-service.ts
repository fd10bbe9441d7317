import { locate } from '@tiwala/kit/operations'
// A seeded run of mutated requests against one service. Request number n depends only on the seed and on n,
// so a part of a run can be repeated: `TIWALA_FUZZ_SEED=7 TIWALA_FUZZ_FIRST=1200 TIWALA_FUZZ_REQUESTS=1`.
import { isLongRunningOperation } from '@tiwala/server/operations'
import { type RawExchange, requestText, sendRaw } from '@tiwala/server/testing-raw-http'
import type { TestService } from '../kit/test-service.ts'
import { createBaseRequests, IDS_WITHOUT_RESTORE } from './base-requests.ts'
import { type MutatedRequest, mutateRequest } from './mutate-request.ts'
import { responseFault } from './response-fault.ts'
import { createRandom } from './seeded-random.ts'
import { shrinkRequest } from './shrink-request.ts'

/** Values live longer than a run. A used QR value does not give its record again. */
export const FUZZ_SETTINGS = {
  TIWALA_QR_RETRY_SECONDS: '0',
  TIWALA_QR_TTL_SECONDS: '86400',
  TIWALA_AUTHORIZATION_TTL_SECONDS: '86400',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '86400',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '86400',
}

const AT_ONCE = 24
/** The sender of an incomplete request closes its side then. */
const THEN_END_MS = 40
/** How much longer than `hungMs` a test waits for a response. */
const EXTRA_WAIT_MS = 20_000
/** Every sender may wait for a verification of the audit at the same time, each of which takes a second of work. */
const LONG_RUNNING_MS = 120_000
const TRIES = 4

/**
 * `hungMs`: a request hangs if it takes this much longer than another one beside it. Long-running operations,
 * such as the verification of the whole audit, may take longer.
 */
export async function startFuzzing(service: TestService, seed: number, hungMs: number) {
  const bases = await createBaseRequests(service)
  const { headers } = await service.partner()
  const controlRequest = requestText('GET', `${locate('inquire').path}?tracking_no=unknown`, headers)
  const control = { id: 'inquire' as const, bytes: Buffer.from(controlRequest), mayBeSilent: false }
  const faults: string[] = []
  const countByStatus: Record<string, number> = {}
  let slowestMs = 0

  const send = ({ id, bytes, mayBeSilent }: Pick<MutatedRequest, 'id' | 'bytes' | 'mayBeSilent'>) =>
    sendRaw(service.url, bytes, {
      timeoutMs: isLongRunningOperation(id) ? LONG_RUNNING_MS : hungMs + EXTRA_WAIT_MS,
      ...(mayBeSilent && { thenEndMs: THEN_END_MS }),
    })

  const isHung = ({ id }: MutatedRequest, ownMs: number) => ownMs > hungMs && !isLongRunningOperation(id)
  /** On a busy machine a response may be slow, or 503. A fault of the service repeats itself. */
  const isDoubtful = (mutated: MutatedRequest, ownMs: number, { response }: RawExchange) =>
    isHung(mutated, ownMs) || response?.status === 503

  /** `ownMs`: how much longer the last exchange took than a short one beside it. */
  async function sendUntilClear(mutated: MutatedRequest) {
    const exchanges = [await send(mutated)]
    let ownMs = exchanges[0]!.elapsedMs
    while (isDoubtful(mutated, ownMs, exchanges.at(-1)!) && exchanges.length < TRIES) {
      const [again, beside] = await Promise.all([send(mutated), send(control)])
      exchanges.push(again)
      ownMs = again.elapsedMs - beside.elapsedMs
    }
    if (!isLongRunningOperation(mutated.id)) slowestMs = Math.max(slowestMs, ownMs)
    return { exchanges, ownMs }
  }

  function faultOf(mutated: MutatedRequest, { response }: RawExchange, ownMs: number): string | undefined {
    if (isHung(mutated, ownMs)) return `hangs: ${Math.round(ownMs)} ms`
    if (!response) return mutated.mayBeSilent ? undefined : 'no response'
    return responseFault(mutated.bytes, response)
  }

  /** Sends request number `index`, and a valid request after some refusals. */
  async function attack(index: number): Promise<void> {
    const random = createRandom(seed + index * 7_919)
    const base = await bases.take(random.among(IDS_WITHOUT_RESTORE))
    const mutated = mutateRequest(base.id, base.parts, random)
    const { exchanges, ownMs } = await sendUntilClear(mutated)
    for (const { response } of exchanges)
      countByStatus[response?.status ?? 'silence'] = (countByStatus[response?.status ?? 'silence'] ?? 0) + 1
    const fault = faultOf(mutated, exchanges.at(-1)!, ownMs)
    if (fault) faults.push(await report(index, mutated, fault))
    const isRefused = exchanges.every(({ response }) => response && response.status >= 400)
    const what = `#${index} ${exchanges.at(-1)!.response?.status}: ${printable(mutated.bytes)}`
    await bases.release(base, isRefused && !mutated.isDoubled, what)
  }

  async function report(index: number, mutated: MutatedRequest, fault: string): Promise<string> {
    const [kind] = fault.split(':')
    const isSameFault = async (bytes: Buffer) => {
      // An incomplete request would wait for the time limit of the server.
      const smaller = { ...mutated, bytes, mayBeSilent: kind !== 'no response' }
      const { exchanges, ownMs } = await sendUntilClear(smaller)
      return faultOf(smaller, exchanges.at(-1)!, ownMs)?.split(':')[0] === kind
    }
    // Each try of a request that hangs takes as long as the time limit.
    const smallest = kind === 'hangs' ? mutated.bytes : await shrinkRequest(mutated.bytes, isSameFault)
    return [
      fault,
      `  minimal request: ${printable(smallest)}`,
      `  again: TIWALA_FUZZ_SEED=${seed} TIWALA_FUZZ_FIRST=${index} TIWALA_FUZZ_REQUESTS=1`,
    ].join('\n')
  }

  return {
    faults,
    countByStatus,
    slowestMs: () => slowestMs,
    checks: bases.checks,
    /** Sends the requests from number `first` on. */
    async run(first: number, count: number): Promise<void> {
      let next = first
      const attackInTurn = async () => {
        while (next < first + count) await attack(next++)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, attackInTurn))
    },
    /** The faults, after each remaining valid request was sent. */
    async end(): Promise<string[]> {
      await bases.end()
      return [...faults, ...bases.faults]
    },
  }
}

/** The bytes as JSON text, without credentials. */
const printable = (bytes: Buffer) =>
  JSON.stringify(
    bytes
      .toString('latin1')
      .replaceAll(/(?<=Secret-Token: |Bearer )\S+/g, '...')
      .slice(0, 1_500),
  )
