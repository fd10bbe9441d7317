import { type OperatorOperations, routes } from '@tiwala/contract'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { validRequests } from '../kit/valid-requests.ts'

const IDS = Object.keys(routes.operator) as (keyof OperatorOperations)[]
const ALL_SCOPES = Object.keys(
  operator.components.securitySchemes.operatorToken.flows.clientCredentials.scopes,
)

/** The scopes that the document of an operation requires. */
function needed(id: keyof OperatorOperations): string[] {
  const { method, path } = routes.operator[id]
  const item = operator.paths[path] as Record<string, { security: { operatorToken: string[] }[] }>
  return item[method]!.security[0]!.operatorToken
}

const service = await startServiceForFile()
const calls = await validRequests(service)

test('issuing or ending a secret needs credentials:write; createPartner also partners:write', () => {
  const needing = (scope: string) => IDS.filter((id) => needed(id).includes(scope)).toSorted()
  expect(needing('credentials:write')).toEqual([
    'createPartner',
    'replayChange',
    'revokeCredential',
    'rotateCredential',
    'rotateWebhookSecret',
  ])
  expect(needed('createPartner')).toEqual(['partners:write', 'credentials:write'])
})

/** Each administrator may see and end the own session, and withdraw the own requests. */
const OWN = new Set<string>(['readOwnSession', 'endOwnSession', 'withdrawOwnApproval'])

describe.each(IDS.filter((id) => !OWN.has(id)))('%s', (id) => {
  test('needs at least one scope', () => {
    expect(needed(id)).not.toEqual([])
  })

  test.each(needed(id))('403: an operator with every scope except %s', async (missing) => {
    const others = ALL_SCOPES.filter((scope) => scope !== missing)
    // The last two only contain the name of the missing one.
    const token = await service.tokens.operator([...others, `${missing}:all`, `my-${missing}`].join(' '))
    const { headers, query, path, fields } = calls.get(id)!
    const { body, headers: type } = fields ? json(fields) : { body: undefined, headers: {} }
    const response = await service.send(id, {
      headers: { ...type, ...headers, Authorization: `Bearer ${token}` },
      ...(query && { query }),
      ...(path && { path }),
      ...(body && { body }),
    })
    expect(await errorBody(response)).toMatchObject({
      status: 403,
      error: 'scope_not_granted',
      message: expect.stringContaining(missing),
    })
  })
})
