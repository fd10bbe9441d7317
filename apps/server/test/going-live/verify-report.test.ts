// Whose signature a report for going live needs.
import { expect, test } from 'vitest'
import { verifyReport } from '../../src/going-live/decide-going-live-report.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { signReceipt } from '../../src/secrets/receipt.ts'

const ring = mintKeys()
const keys = createKeyRing(() => ring)
const claims = {
  event: 'report.written',
  subject: 'SBX',
  requestId: 'req_1',
  issuer: 'https://sandbox.example',
}
const report = await signReceipt(keys, { ...claims, at: new Date() })
const verify = (config: object) => verifyReport({ keys, config: config as never }, report)

test('live without TIWALA_GOING_LIVE_KEYS_FILE verifies no report, not even its own', async () => {
  await expect(verify({ environment: 'live' })).rejects.toMatchObject({
    errors: { report: ['cannot be verified. Set TIWALA_GOING_LIVE_KEYS_FILE'] },
  })
})

test('a sandbox without the setting verifies its own reports', async () => {
  expect(await verify({ environment: 'sandbox' })).toMatchObject({ event: 'report.written', jti: 'req_1' })
})

test('with the setting, its keys alone count, also in a sandbox', async () => {
  const { kty, crv, x } = mintKeys().find(({ purpose }) => purpose === 'audit')!
  const goingLiveKeys = { keys: [{ kty: kty!, crv: crv!, x: x!, kid: 'other' }] }
  await expect(verify({ environment: 'sandbox', goingLiveKeys })).rejects.toMatchObject({
    errors: { report: [expect.stringContaining('a key that the service does not know')] },
  })
})
