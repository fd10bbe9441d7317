// Events go to servers on the same machine only if they are those of the sandbox's own developer.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/testing/start-service.ts'
import { writeEvents } from '../kit/bulk-events.ts'
import { startConnectionCounter } from '../kit/connection-counter.ts'
import { LIVE } from '../kit/live-settings.ts'

test.each([
  ['a sandbox on this machine', {}, true],
  ['a sandbox at 127.0.0.1', { TIWALA_PUBLIC_URL: 'http://127.0.0.1:8080' }, true],
  ['a public sandbox', { TIWALA_PUBLIC_URL: 'https://sandbox.example' }, false],
  ['live on this machine', { ...LIVE, TIWALA_PUBLIC_URL: 'https://localhost' }, false],
])('%s', (_name, settings, expected) => {
  expect(readConfig(settings).callbackAddresses.allowLoopback).toBe(expected)
})

test('a public sandbox sends no event to its own machine', async () => {
  await using receiver = await startConnectionCounter()
  const service = await startService(inject('postgres'), { TIWALA_PUBLIC_URL: 'https://sandbox.example' })
  const { rows } = await sql<{ partner_code: string }>`
    update partner set callback_url = ${`http://localhost:${receiver.port}/callback`}
    returning partner_code`.execute(service.db)
  await writeEvents(service.db, [rows[0]!.partner_code], 1)
  const readOutcomes = async () => {
    const found = await sql`select last_outcome from callback_event`.execute(service.db)
    return found.rows
  }
  await expect.poll(readOutcomes).toEqual([{ last_outcome: 'address not allowed' }])
  expect(receiver.connections()).toBe(0)
  await service.close()
})
