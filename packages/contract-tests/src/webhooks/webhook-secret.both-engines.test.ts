import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callbacksOf, signatureOf } from '../harness/callbacks.ts'
import { type Partner, startWorld, type World } from '../harness/world.ts'

let world: World
let callbacks: ReturnType<typeof callbacksOf>
beforeAll(async () => {
  world = await startWorld()
  callbacks = callbacksOf(world)
})
afterAll(() => world.close())

/** Which of the secrets have signed the partner's next event, in the order of its signatures. */
async function signersOf(partner: Partner, secrets: string[]): Promise<string[]> {
  const { webhook_id } = await callbacks.sendTest(partner)
  const arrival = await callbacks.arrivalOf(webhook_id)
  return arrival
    .webhook_signature!.split(' ')
    .map((signature) => secrets.find((secret) => signatureOf(secret, arrival) === signature) ?? 'a stranger')
}

describe('createPartner', () => {
  test("201: the webhook secret verifies the partner's events, and nobody else's; it is stored nowhere", async () => {
    const [a, b] = [await callbacks.reachable(), await callbacks.reachable()]
    const secrets = [a, b].map(({ credentials }) => credentials.webhook_secret)
    expect([await signersOf(a, secrets), await signersOf(b, secrets)]).toEqual([[secrets[0]], [secrets[1]]])
    const dump = await world.dumpDatabase()
    for (const secret of secrets) expect(dump).not.toContain(secret.replace(/^whsec_|=$/g, ''))
  })
})
