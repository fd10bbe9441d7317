// Every operation of administrators, with the session of a browser and with a token: the same scopes, and the
// attacks that only a cookie allows. The table follows from the document, so a new operation is in it by itself.
import { type OperatorOperations, routes } from '@tiwala/contract'
import { bearer } from '@tiwala/kit/users'
import { describe, expect, test } from 'vitest'
import { documentedStatuses, scopesOf } from '../contract-check/documents.ts'
import { sendParts } from '../kit/send-parts.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { validRequest } from '../kit/valid-requests.ts'

type OperatorId = keyof OperatorOperations
type Headers = Record<string, string>
const IDS = Object.keys(routes.operator) as OperatorId[]
const ALL_SCOPES = [...new Set(IDS.flatMap(scopesOf))]
const service = await startServiceForFile({})

const WAYS = ['session', 'token'] as const
/** What a browser or a program of an administrator with these scopes sends. */
const headersOf = async (way: (typeof WAYS)[number], scopes: string[]): Promise<Headers> =>
  way === 'session' ? service.signInOperator(scopes) : bearer(await service.tokens.operator(scopes.join(' ')))

/** A valid request, whose token is replaced. */
async function prepare(id: OperatorId) {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const parts = await validRequest(id, { ...service, partner, citizen })
  const { Authorization: _, ...headers } = parts.headers
  const send = async (credentials: Headers) => {
    const { status, text } = await sendParts(service, id, {
      ...parts,
      headers: { ...headers, ...credentials },
    })
    const { error, message } = JSON.parse(text) as { error?: string; message?: string }
    return { status, error, message }
  }
  return { send }
}

const success = (id: OperatorId) => ({ status: documentedStatuses(id)[0], error: undefined })

test('issuing or ending a secret needs credentials:write; createPartner also partners:write', () => {
  const needing = (scope: string) => IDS.filter((id) => scopesOf(id).includes(scope)).toSorted()
  expect(needing('credentials:write')).toEqual([
    'createPartner',
    'replayChange',
    'revokeCredential',
    'rotateCredential',
    'rotateWebhookSecret',
  ])
  expect(scopesOf('createPartner')).toEqual(['partners:write', 'credentials:write'])
})

const WITHOUT_SCOPE = IDS.filter((id) => scopesOf(id).length === 0)

test('each operation needs a scope, except for the own session and the own requests', () => {
  expect(WITHOUT_SCOPE.toSorted()).toEqual(['endOwnSession', 'readOwnSession', 'withdrawOwnApproval'])
})

describe.each(WITHOUT_SCOPE)('%s', (id) => {
  test.each(WAYS)('200: a %s without a scope', async (way) => {
    const { send } = await prepare(id)
    expect(await send(await headersOf(way, []))).toMatchObject(success(id))
  })
})

describe.each(IDS)('%s', (id) => {
  const needed = scopesOf(id)

  test.each(WAYS.flatMap((way) => needed.map((missing) => [way, missing] as const)))(
    '403: a %s with every scope except %s; the same request succeeds with the needed scopes, and no others',
    async (way, missing) => {
      const { send } = await prepare(id)
      // The last two only contain the name of the missing one.
      const others = [...ALL_SCOPES.filter((scope) => scope !== missing), `${missing}:all`, `my-${missing}`]
      expect(await send(await headersOf(way, others))).toMatchObject({
        status: 403,
        error: 'scope_not_granted',
        message: `The ${way} lacks the scope ${missing}`,
      })
      expect(await send(await headersOf(way, needed))).toMatchObject(success(id))
    },
  )

  test('401: the credentials of partners and citizens are none of an administrator', async () => {
    const { send } = await prepare(id)
    const [partner, citizen] = [await service.partner(), await service.citizen()]
    const member = await service.signIn(partner.code)
    const accessToken = await partner.sso.generateToken(await citizen.exchangeCode(partner.code))
    for (const credentials of [partner.headers, member.headers])
      expect(await send(credentials)).toMatchObject({ status: 401 })
    for (const credentials of [member.bearer, bearer(accessToken), bearer(citizen.token)])
      expect(await send(credentials)).toMatchObject({ status: 401, error: 'token_invalid' })
  })

  test('401: a session that is unknown', async () => {
    const { send } = await prepare(id)
    expect(await send({ Cookie: `tiwala-console=${'A'.repeat(43)}` })).toMatchObject({
      status: 401,
      error: 'session_required',
    })
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
      expect(await send(headers)).toMatchObject({ status: 403, error: 'csrf_token_invalid' })
    expect(await send(own)).toMatchObject(success(id))
  })
})
