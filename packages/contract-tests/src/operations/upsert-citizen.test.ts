import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleProfile } from '../harness/example-profile.ts'
import { startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => void (world = await startWorld()))
afterAll(() => world.close())

const NDJSON = { 'Content-Type': 'application/x-ndjson' }

let count = 0
const someone = (change: object = {}) => ({ profile: { ...exampleProfile(`REFUSED-${++count}`), ...change }, passport: null })

describe('upsertCitizen', () => {
  test('415: lines of JSON', async () => {
    const { profile } = someone()
    const headers = { Authorization: `Bearer ${world.operatorToken}`, ...NDJSON }
    const body = JSON.stringify({ profile, passport: null })
    expect((await world.send('upsertCitizen', { headers, path: { uniqid: profile.uniqid }, body })).status).toBe(415)
  })
})
