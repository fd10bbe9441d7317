// Valid requests, from which the mutated ones are made. A refused request must use nothing up: after a few
// refusals, the valid request is sent unchanged and must succeed.
import type { OperationId } from '@tiwala/contract'
import { documentOf, locate, OPERATION_IDS } from '@tiwala/kit/operations'
import { documentedStatuses, parametersOf } from '../contract-check/documents.ts'
import { sendParts } from '../kit/send-parts.ts'
import type { Users } from '../kit/users.ts'
import { type Actors, type RequestParts, validRequest } from '../kit/valid-requests.ts'

/** `refused`: what was refused, as text, since the values of the request are new. */
type BaseRequest = { id: OperationId; parts: RequestParts; refused: string[] }

/** The refusals after which a valid request is sent unchanged. */
const REFUSALS = 4
const TRIES = 5

/** After one of these, its partner or citizen may not be able to do what it could before. `readErasure` needs an erased one. */
const isDestructive = (id: OperationId) =>
  id === 'readErasure' ||
  (['operator', 'workbench'].includes(documentOf(id))
    ? locate(id).method !== 'GET'
    : locate(id).method === 'PUT')
/** `completeRestore` ends every code and token, also those of other valid requests. */
export const IDS_WITHOUT_RESTORE = OPERATION_IDS.filter((id) => id !== 'completeRestore')
/** A success leaves these requests valid. With the method DELETE, `readSession` ends its session. */
const isRepeatable = (id: OperationId) =>
  id !== 'readSession' &&
  locate(id).method === 'GET' &&
  !parametersOf(id).some(({ value }) => value['name'] === 'qr_value')

export async function createBaseRequests(
  service: Users & Pick<Actors, 'signIn' | 'askToSuspend' | 'db'>,
  ids: readonly OperationId[] = OPERATION_IDS,
) {
  const createActors = async () => ({
    ...service,
    partner: await service.partner(),
    citizen: await service.citizen(),
  })
  const actors = { operator: await createActors(), others: await createActors() }
  const free = new Map<OperationId, BaseRequest[]>()
  const repeatable = new Map<OperationId, BaseRequest>()
  const faults: string[] = []
  let checks = 0

  /** On a busy machine a response may be 503, or too late for the client, so it tries again. */
  async function mint(id: OperationId, tries = TRIES): Promise<BaseRequest> {
    const shared = documentOf(id) === 'operator' ? actors.operator : actors.others
    try {
      const parts = await validRequest(id, isDestructive(id) ? await createActors() : shared)
      return { id, parts, refused: [] }
    } catch (error) {
      if (tries === 1) throw error
      return mint(id, tries - 1)
    }
  }
  // Some of them wait until the audit is sealed, which never ends while other requests write to it.
  for (const id of ids.filter(isRepeatable)) repeatable.set(id, await mint(id))

  /** Sends the request unchanged. */
  async function check({ id, parts, refused }: BaseRequest): Promise<void> {
    checks++
    const { status, text } = await sendParts(service, id, parts)
    if (status !== documentedStatuses(id).find((each) => each < 300))
      faults.push(`used up by a refused request: ${id} ${text}\n  refused before:\n  ${refused.join('\n  ')}`)
  }

  return {
    faults,
    checks: () => checks,
    /** No other request is made from one that works once until it is released. */
    take: async (id: OperationId) => repeatable.get(id) ?? free.get(id)?.pop() ?? mint(id),
    /** `isRefused`: the server has refused the request that was made from this one. */
    async release(base: BaseRequest, isRefused: boolean, what: string): Promise<void> {
      if (isRefused) base.refused.push(what)
      const isDue = base.refused.length === REFUSALS
      if (isDue) await check(base)
      if (isDue) base.refused = []
      if (isRefused && !isDue && !repeatable.has(base.id))
        free.set(base.id, [...(free.get(base.id) ?? []), base])
    },
    /** Sends every remaining valid request. */
    async end(): Promise<void> {
      for (const base of [...[...free.values()].flat(), ...repeatable.values()]) await check(base)
    },
  }
}
