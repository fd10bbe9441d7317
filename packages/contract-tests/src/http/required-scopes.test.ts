import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json } from '../harness/body-forms.ts'
import { VALID } from '../harness/calls.ts'
import { errorOf } from '../harness/error-of.ts'
import { startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

describe.each([
  ['listPartners', 'partners:read'],
  ['readPartner', 'partners:read'],
  ['changePartner', 'partners:write'],
  ['createPartner', 'partners:write credentials:write'],
  ['listCredentials', 'partners:read'],
  ['rotateCredential', 'credentials:write'],
  ['revokeCredential', 'credentials:write'],
  ['rotateWebhookSecret', 'credentials:write'],
  ['findAuthorizations', 'authorizations:read'],
] as const)('%s', (id, needed) => {
  test('403: an operator with every other scope; 2xx: with these alone', async () => {
    const others = [
      'partners:read',
      'partners:write',
      'credentials:write',
      'authorizations:read',
      'citizens:write',
      'disputes:read',
    ].filter((scope) => !needed.split(' ').includes(scope))
    const operatorToken = await world.tokens.operator(others.join(' '))
    const { headers, fields, ...call } = await VALID[id]({ ...world, partner: await world.partner(), citizen: await world.citizen() })
    const init = fields ? json(fields) : { headers: {} }
    const answer = (token: string) =>
      world.send(id, { ...call, ...init, headers: { ...headers, ...init.headers, Authorization: `Bearer ${token}` } })
    expect(await errorOf(await answer(operatorToken))).toMatchObject({
      status: 403,
      error: 'scope_not_granted',
      message: expect.stringContaining(needed.split(' ')[0]!),
    })
    expect((await answer(await world.tokens.operator(needed))).status).toBeLessThan(300)
  })
})
