import { describe, expect, test } from 'vitest'
import { createCallbackClient } from '../kit/callback-client.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const callbacks = createCallbackClient(service)

describe('createPartner', () => {
  test('201: the secret verifies only events of this partner, and is not stored in clear', async () => {
    const [a, b] = [await callbacks.reachable(), await callbacks.reachable()]
    const secrets = [a, b].map(({ credentials }) => credentials.webhook_secret)
    expect([await callbacks.signersOf(a, secrets), await callbacks.signersOf(b, secrets)]).toEqual([
      [secrets[0]],
      [secrets[1]],
    ])
    const dump = await service.dumpDatabase()
    for (const secret of secrets) expect(dump).not.toContain(secret.replace(/^whsec_|=$/g, ''))
  })
})
