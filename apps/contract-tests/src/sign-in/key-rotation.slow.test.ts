// The keys that sign ID tokens are replaced while citizens sign in: no sign-in fails, and every ID token verifies.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mintKey, type RingKey } from '@tiwala/server/testing'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import { expect, test, vi } from 'vitest'
import { approve, arrive, relyingParty } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const file = join(service.config.dataDir, 'keys.json')
const jwksUrl = new URL(`${service.url}/oidc/jwks`)
/** As a partner's library does: keys that it does not know are fetched. */
const keySet = createRemoteJWKSet(jwksUrl, { cooldownDuration: 0 })
/** Longer than the service needs to read the changed file. */
const ACTIVE_AFTER_MS = 2_500
const PATIENCE = { timeout: 15_000, interval: 100 }

const read = async () => (JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }).keys
const isIdTokenKey = ({ purpose }: RingKey) => purpose.startsWith('id-token-')

async function write(keys: RingKey[]): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify({ keys }))
  await rename(`${file}.new`, file)
}

const publishedKids = async () => {
  const { keys } = (await (await fetch(jwksUrl)).json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid).toSorted()
}

type Party = Awaited<ReturnType<typeof relyingParty>>

/** The browser has the code. */
async function approved(party: Party) {
  const { url, checks } = await party.begin({}, { isPushed: true })
  const [visit, citizen] = [await arrive(service.url, url), await service.citizen()]
  await approve(citizen, await visit.scan())
  return { party, checks, callback: await visit.goOn() }
}

/** Redeems the code, verifies the ID token, and reads userinfo. Returns the id of the key. */
async function finish({ party, checks, callback }: Awaited<ReturnType<typeof approved>>): Promise<string> {
  const tokens = await openid.authorizationCodeGrant(party.config, callback, checks)
  const { protectedHeader, payload } = await jwtVerify(tokens.id_token!, keySet)
  await openid.fetchUserInfo(party.config, tokens.access_token, payload.sub!)
  return protectedHeader.kid!
}

test('ES256 and RS256 are replaced under sign-ins, and none fails', { timeout: 60_000 }, async () => {
  const parties = [
    await relyingParty(service),
    await relyingParty(service, {
      changes: { id_token_signed_response_alg: 'ES256' },
      metadata: { id_token_signed_response_alg: 'ES256' },
    }),
  ]
  const before = await read()
  const oldKids = before.filter(isIdTokenKey).map(({ kid }) => kid)
  const open = await Promise.all([...parties, ...parties].map(approved))
  const used = new Set<string>()
  let isOver = false
  const traffic = (async () => {
    while (!isOver)
      for (const kid of await Promise.all(parties.map(async (party) => finish(await approved(party)))))
        used.add(kid)
  })()

  const activeFrom = new Date(Date.now() + ACTIVE_AFTER_MS)
  const added = [mintKey('id-token-es256', activeFrom), mintKey('id-token-rs256', activeFrom)]
  await write([...before, ...added])
  const newKids = added.map(({ kid }) => kid)
  await vi.waitFor(
    async () => expect(await publishedKids()).toEqual([...oldKids, ...newKids].toSorted()),
    PATIENCE,
  )
  await vi.waitFor(() => expect(newKids.every((kid) => used.has(kid))).toBe(true), PATIENCE)
  for (const early of open.slice(0, 2)) expect(newKids).toContain(await finish(early))

  await write([...before.filter((key) => !isIdTokenKey(key)), ...added])
  await vi.waitFor(async () => expect(await publishedKids()).toEqual(newKids.toSorted()), PATIENCE)
  for (const early of open.slice(2)) expect(newKids).toContain(await finish(early))
  isOver = true
  await traffic
  expect([...used].toSorted()).toEqual([...oldKids, ...newKids].toSorted())
})
