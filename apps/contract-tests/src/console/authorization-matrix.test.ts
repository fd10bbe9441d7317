// Every operation of administrators with the session of a browser: the same scopes as for a token, and the attacks that only
// a cookie allows. The table follows from the document, so a new operation is in it by itself.
import { type OperatorOperations, routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { documentedStatuses, scopesOf } from '../contract-check/documents.ts'
import { sendParts } from '../kit/send-parts.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { validRequest } from '../kit/valid-requests.ts'

type OperatorId = keyof OperatorOperations
const IDS = Object.keys(routes.operator) as OperatorId[]
const ALL_SCOPES = [...new Set(IDS.flatMap(scopesOf))]
const service = await startServiceForFile({})

/** A valid request, of which the session stands for the token. */
async function prepare(id: OperatorId) {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const parts = await validRequest(id, { ...service, partner, citizen })
  const { Authorization: _, ...headers } = parts.headers
  const send = async (session: Record<string, string>) => {
    const { status, text } = await sendParts(service, id, { ...parts, headers: { ...headers, ...session } })
    return [status, (JSON.parse(text) as { error?: string }).error]
  }
  return { send }
}

describe.each(IDS)('%s', (id) => {
  const needed = scopesOf(id)

  test(`${documentedStatuses(id)[0]}: a session with the scopes of the document, and no others`, async () => {
    const { send } = await prepare(id)
    expect(await send(await service.signInOperator(needed))).toEqual([documentedStatuses(id)[0], undefined])
  })

  test.each(needed)('403: a session with every scope except %s', async (missing) => {
    const { send } = await prepare(id)
    const others = [...ALL_SCOPES.filter((scope) => scope !== missing), `${missing}:all`]
    expect(await send(await service.signInOperator(others))).toEqual([403, 'scope_not_granted'])
  })

  test('401: a session that is unknown', async () => {
    const { send } = await prepare(id)
    expect(await send({ Cookie: `tiwala-console=${'A'.repeat(43)}` })).toEqual([401, 'session_required'])
  })
})

const CHANGES = IDS.filter((id) => routes.operator[id].method !== 'get')

describe.each(CHANGES)('%s', (id) => {
  test('403: without the token of its own session, nothing changes', async () => {
    const { send } = await prepare(id)
    const own = await service.signInOperator(scopesOf(id))
    const other = await service.signInOperator(scopesOf(id))
    for (const headers of [
      { Cookie: own.Cookie },
      { Cookie: own.Cookie, 'X-Csrf-Token': other['X-Csrf-Token'] },
    ])
      expect(await send(headers)).toEqual([403, 'csrf_token_invalid'])
    expect(await send(own)).toEqual([documentedStatuses(id)[0], undefined])
  })
})
