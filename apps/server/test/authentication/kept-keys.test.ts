import { expect, onTestFinished, test, vi } from 'vitest'
import { startIdentities } from '../../src/authentication/identity-tokens.ts'
import type { Config } from '../../src/config.ts'
import { createLog } from '../../src/http/log.ts'
import type { KeyRing } from '../../src/secrets/key-ring.ts'
import { startProvider } from '../kit/identity-provider.ts'

const HOUR_MS = 3_600_000

test('the keys of a provider that cannot be reached stay in use for the hours of the setting', async () => {
  const { issuer } = await startProvider('tiwala-citizen')
  let nowMs = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  onTestFinished(() => clock.mockRestore())
  const identity = { issuer, audience: 'tiwala-citizen', jwksUrl: issuer }
  const config = { citizenIdentity: identity, operatorIdentity: identity, identityKeysKeptHours: 3 }
  const identities = startIdentities(config as Config, {} as KeyRing, createLog('silent'))
  const { citizen } = identities.hasKeys
  await expect.poll(citizen, { interval: 10 }).toBe(true)
  await identities.stop()
  nowMs += 3 * HOUR_MS - 60_000
  expect(citizen()).toBe(true)
  nowMs += 60_000
  expect(citizen()).toBe(false)
})
