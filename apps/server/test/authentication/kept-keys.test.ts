import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startIdentities } from '../../src/authentication/identity-tokens.ts'
import type { Config } from '../../src/config.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import { createKeyRing, type KeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { startProvider } from '../kit/identity-provider.ts'

const HOUR_MS = 3_600_000
const sandboxKeys = mintKeys()

test('the keys of a provider that cannot be reached stay in use for the hours of the setting', async () => {
  const { issuer } = await startProvider('tiwala-citizen')
  let nowMs = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  onTestFinished(() => clock.mockRestore())
  const identity = { issuer, audience: 'tiwala-citizen', jwksUrl: issuer }
  const config = {
    citizenIdentity: identity,
    operatorIdentity: identity,
    staffIdentity: {},
    identityKeysKeptHours: 3,
  }
  const identities = startIdentities(config as Config, {} as KeyRing, createLog('silent'))
  const { citizen } = identities.hasKeys
  await expect.poll(citizen, { interval: 10 }).toBe(true)
  await identities.stop()
  nowMs += 3 * HOUR_MS - 60_000
  expect(citizen()).toBe(true)
  nowMs += 60_000
  expect(citizen()).toBe(false)
})

test('without a provider, the keys of the sandbox are known', async () => {
  const config = { citizenIdentity: {}, operatorIdentity: {}, staffIdentity: {} } as Config
  const { hasKeys } = startIdentities(
    config,
    createKeyRing(() => sandboxKeys),
    createLog('silent'),
  )
  expect([hasKeys.citizen(), hasKeys.operator()]).toEqual([true, true])
})

test('each failed fetch is logged, and the first success after it', async () => {
  let fetches = 0
  const provider = createServer((_req, res) => {
    fetches++
    respond(res)
  })
  let respond = (res: ServerResponse) => void res.writeHead(500).end()
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void provider.close())
  const jwksUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  let nowMs = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  onTestFinished(() => clock.mockRestore())
  const [warn, info] = [vi.fn(), vi.fn()]
  const identity = { issuer: jwksUrl, audience: 'tiwala-citizen' }
  const config = {
    citizenIdentity: { ...identity, jwksUrl },
    operatorIdentity: identity,
    staffIdentity: {},
    identityKeysKeptHours: 3,
  }
  const ring = createKeyRing(() => sandboxKeys)
  const identities = startIdentities(config as Config, ring, { warn, info } as unknown as Logger)
  onTestFinished(() => identities.stop())

  await expect
    .poll(() => warn.mock.calls, { interval: 10 })
    .toEqual([
      [
        { provider: 'citizen', failures: 1, reason: 'status 500' },
        expect.stringContaining('identity provider keys could not be fetched'),
      ],
    ])
  respond = (res) => void res.end(JSON.stringify({ keys: [{ kty: 'OKP', kid: 'k1' }] }))
  nowMs += 1_000
  const fetchedAgain = [{ provider: 'citizen' }, 'identity provider keys were fetched again']
  await expect.poll(() => info.mock.calls, { interval: 10 }).toEqual([fetchedAgain])
  const fetchesBefore = fetches
  const moveAndCount = () => {
    nowMs += 5 * 60_000
    return fetches - fetchesBefore
  }
  // The second fetch shows that the first is over. It ends with the service, which is no failure.
  await expect.poll(moveAndCount, { interval: 10 }).toBe(2)
  await identities.stop()
  expect([warn.mock.calls.length, info.mock.calls]).toEqual([1, [fetchedAgain]])
})

test('without an identity provider and without a sandbox, the error names the settings', () => {
  const identity = { issuer: 'https://identity.example', audience: 'tiwala-citizen' }
  const config = {
    citizenIdentity: identity,
    operatorIdentity: identity,
    staffIdentity: {},
    identityKeysKeptHours: 3,
  }
  const live = createKeyRing(() => sandboxKeys.filter(({ purpose }) => purpose !== 'sandbox-issuer'))
  expect(() => startIdentities(config as Config, live, createLog('silent'))).toThrow(
    'No identity provider is configured. Set its issuer and the URL of its keys.',
  )
})
