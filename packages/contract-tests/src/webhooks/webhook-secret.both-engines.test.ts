import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCallbackClient, signatureOf } from '../kit/callback-client.ts'
import { type Partner, startTestService, type TestService } from '../kit/test-service.ts'

let service: TestService
let callbacks: ReturnType<typeof createCallbackClient>
beforeAll(async () => {
  service = await startTestService()
  callbacks = createCallbackClient(service)
})
afterAll(() => service.close())

/** The secrets that have signed the partner's next event, in the order of its signatures. */
async function signersOf(partner: Partner, secrets: string[]): Promise<string[]> {
  const { webhook_id } = await callbacks.sendTest(partner)
  const arrival = await callbacks.untilArrived(webhook_id)
  return arrival
    .webhook_signature!.split(' ')
    .map(
      (signature) =>
        secrets.find((secret) => signatureOf(secret, arrival) === signature) ?? 'an unknown secret',
    )
}

describe('createPartner', () => {
  test('201: the webhook secret verifies the events of this partner only, and is not stored in clear', async () => {
    const [a, b] = [await callbacks.reachable(), await callbacks.reachable()]
    const secrets = [a, b].map(({ credentials }) => credentials.webhook_secret)
    expect([await signersOf(a, secrets), await signersOf(b, secrets)]).toEqual([[secrets[0]], [secrets[1]]])
    const dump = await service.dumpDatabase()
    for (const secret of secrets) expect(dump).not.toContain(secret.replace(/^whsec_|=$/g, ''))
  })
})
