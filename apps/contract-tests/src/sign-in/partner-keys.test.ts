// `private_key_jwt` with the keys of a `jwks_url`: when they are read, and what the service never reads.
import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import * as openid from 'openid-client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { diagnose, failedCheckOf } from '../kit/diagnoses.ts'
import { listenForFile } from '../kit/listen-for-file.ts'
import { relyingParty } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const server = await listenForFile()
const files = new Map<string, { status?: number; headers?: Record<string, string>; body: string | Buffer }>()
const reads: string[] = []
server.serve((req, res) => {
  reads.push(req.url!)
  const { status = 200, headers = {}, body } = files.get(req.url!) ?? { status: 404, body: '' }
  res.writeHead(status, headers).end(body)
})
afterEach(() => vi.restoreAllMocks())

async function mintKey(kid: string): Promise<{ privateKey: CryptoKey; jwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
}

let count = 0

async function keyParty(file: Parameters<typeof files.set>[1] | undefined) {
  const path = `/jwks-${++count}`
  if (file) files.set(path, file)
  const url = server.url + path
  const partner = await service.partner()
  const party = (key: Awaited<ReturnType<typeof mintKey>>) =>
    relyingParty(service, {
      partner,
      changes: { jwks_url: url },
      authentication: openid.PrivateKeyJwt({ key: key.privateKey, kid: key.jwk.kid! }),
      metadata: { client_secret: undefined },
    })
  const push = async (key: Awaited<ReturnType<typeof mintKey>>) =>
    (await party(key)).begin({}, { isPushed: true })
  return { path, partner, party, push }
}

const fileOf = (...keys: JWK[]) => ({ body: JSON.stringify({ keys }) })

test('a partner publishes its keys in UTF-16, and for the other name of the algorithm', async () => {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'e', alg: 'Ed25519' }
  const body = Buffer.from(`\uFEFF${JSON.stringify({ keys: [jwk] })}`, 'utf16le')
  const { push } = await keyParty({ body })
  expect((await push({ privateKey, jwk })).url.searchParams.get('request_uri')).toBeTruthy()
})

test('a partner replaces its key without a change of its registration', async () => {
  const [first, second] = [await mintKey('a'), await mintKey('b')]
  const { path, push } = await keyParty(fileOf(first.jwk))
  expect((await push(first)).url.searchParams.get('request_uri')).toBeTruthy()
  await push(first)
  expect(reads.filter((read) => read === path)).toHaveLength(1)
  files.set(path, fileOf(second.jwk))
  const later = Date.now() + 61_000
  vi.spyOn(Date, 'now').mockImplementation(() => later)
  expect((await push(second)).url.searchParams.get('request_uri')).toBeTruthy()
  await expect(push(first)).rejects.toMatchObject({ error: 'invalid_client' })
})

test.each([{ status: 404, body: '{}' }, { body: '{}' }])(
  'a partner takes its keys down: %j',
  async (answer) => {
    const key = await mintKey('a')
    const { path, party } = await keyParty(fileOf(key.jwk))
    const { begin } = await party(key)
    await begin({}, { isPushed: true })
    files.set(path, answer)
    const later = Date.now() + 61_000
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(begin({}, { isPushed: true })).rejects.toMatchObject({ error: 'invalid_client' })
  },
)

test('a Cache-Control of the partner does not keep a key for longer than a minute', async () => {
  const key = await mintKey('a')
  const { path, push } = await keyParty({ ...fileOf(key.jwk), headers: { 'Cache-Control': 'max-age=86400' } })
  await push(key)
  files.set(path, fileOf())
  const later = Date.now() + 61_000
  vi.spyOn(Date, 'now').mockImplementation(() => later)
  await expect(push(key)).rejects.toMatchObject({ error: 'invalid_client' })
})

describe('invalid_client, and the diagnosis says that the keys could not be read', () => {
  test.each([
    ['nothing is there', () => undefined],
    ['it is not JSON', () => ({ body: 'keys' })],
    ['it has no keys', () => ({ body: '{}' })],
    ['it comes with the status 404', (jwk: JWK) => ({ status: 404, ...fileOf(jwk) })],
    [
      'it leads to another address',
      (jwk: JWK) => {
        files.set('/elsewhere', fileOf(jwk))
        return { status: 302, headers: { Location: `${server.url}/elsewhere` }, body: '' }
      },
    ],
    [
      'it is larger than 128 KiB',
      (jwk: JWK) => ({ body: JSON.stringify({ keys: [jwk] }) + ' '.repeat(200_000) }),
    ],
  ])('%s', async (_what, fileFor) => {
    const key = await mintKey('a')
    const { partner, push } = await keyParty(fileFor(key.jwk))
    const error = (await push(key).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )) as openid.ResponseBodyError
    expect(error).toMatchObject({ error: 'invalid_client', status: 401 })
    const requestId = error.response.headers.get('x-request-id')!
    expect(failedCheckOf(await diagnose(partner, requestId))).toEqual({
      check: 'credentials',
      detail: 'your keys could not be read from your jwks_url',
    })
    expect(reads).not.toContain('/elsewhere')
  })

  test('an assertion of another key', async () => {
    const { partner, push } = await keyParty(fileOf((await mintKey('a')).jwk))
    const error = (await push(await mintKey('a')).catch(
      (thrown: unknown) => thrown,
    )) as openid.ResponseBodyError
    const requestId = error.response.headers.get('x-request-id')!
    expect(failedCheckOf(await diagnose(partner, requestId)).detail).toBe(
      'the client_assertion has expired, or none of your keys has signed it',
    )
  })
})
