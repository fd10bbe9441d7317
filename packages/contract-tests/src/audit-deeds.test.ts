import { type OperationId, routes } from '@tiwala/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportEvents } from './harness/audit.ts'
import { bodyOf } from './harness/body-forms.ts'
import { type Parts, VALID } from './harness/calls.ts'
import { documentedStatuses } from './harness/contract-check.ts'
import { startWorld, type World } from './harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld({})))
afterAll(() => world.close())

/** `rewrapKeys` among them changes something only where a key was rotated: its own test has that. */
const CHANGING = Object.entries(routes.operator)
  .filter(([id, { method }]) => (method as string) !== 'get' && id !== 'rewrapKeys')
  .map(([id]) => id as OperationId)

function send(id: OperationId, parts: Parts): Promise<Response> {
  const { body, headers: type } = bodyOf(parts)
  return world.send(id, { headers: { ...type, ...parts.headers }, ...(parts.path && { path: parts.path }), ...(body && { body }) })
}

const writtenBy = async (response: Response) =>
  (await exportEvents(world.operator)).filter(({ request_id }) => request_id === response.headers.get('x-request-id'))

describe.each(CHANGING)('%s', (id) => {
  const success = documentedStatuses(id).find((status) => status < 300)!

  test(`${success}: the audit has who did it and what was done, and nothing of whom it was done to but the partner`, async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const parts = await VALID[id]({ ...world, partner, citizen })
    const response = await send(id, parts)
    expect(response.status).toBe(success)
    const events = await writtenBy(response)
    expect(events.map(({ actor }) => actor)).toEqual(['sandbox-operator'])
    expect(events[0]!.partner_code).toBe(parts.path?.['partner_code'] ?? events[0]!.partner_code)
    for (const word of [citizen.uniqid, ...Object.values(partner.credentials).filter((value) => value !== partner.code)])
      expect(JSON.stringify(events)).not.toContain(word)
  })
})

describe.each(CHANGING.filter((id) => documentedStatuses(id).includes(404)))('%s', (id) => {
  test('404: of what was not done, it has nothing', async () => {
    const parts = await VALID[id]({ ...world, partner: await world.partner(), citizen: await world.citizen() })
    const path = Object.fromEntries(Object.keys(parts.path ?? {}).map((name) => [name, 'NOBODY']))
    const response = await send(id, { ...parts, path })
    expect([response.status, await writtenBy(response)]).toEqual([404, []])
  })
})
