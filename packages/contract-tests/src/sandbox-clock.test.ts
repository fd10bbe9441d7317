import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from './harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

describe('the clock of the sandbox', () => {
  const moveClock = (body: string, type = 'application/json') =>
    fetch(`${world.url}/sandbox/clock`, { method: 'POST', headers: { 'Content-Type': type }, body })

  test('200: the clock moves, so that an end can be seen without waiting', async () => {
    const [partner, citizen] = [await world.partner(), await world.citizen()]
    const { record, state } = await partner.profiles.requestAuthorization(await citizen.showQr())
    expect(state).toBe('PENDING')
    expect((await moveClock('{"advance_seconds":301}')).status).toBe(200)
    expect((await partner.profiles.inquire(record.tracking_no)).state).toBe('EXPIRED')
  })

  test.each(['{"advance_seconds":-1}', '{"advance_seconds":0}', '{"advance_seconds":"1"}', '{"advance_seconds":1e12}', '{}', 'null', '[]'])(
    '422: the clock cannot be moved by %s',
    async (body) => {
      const answer = await moveClock(body)
      expect([answer.status, await answer.json()]).toEqual([422, expect.objectContaining({ error: 'validation_failed' })])
    },
  )

  test('400: nor by what cannot be read, 415: nor by what is no JSON or form', async () => {
    expect((await moveClock('{')).status).toBe(400)
    expect((await moveClock('1', 'text/plain')).status).toBe(415)
  })
})
