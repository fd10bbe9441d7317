// `tiwala doctor`: a correct configuration has no problem, and each fault is named with what to do.
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { diagnose, type Finding } from '../../src/doctor/doctor.ts'
import { PURPOSES } from '../../src/secrets/key-ring.ts'
import { createKeyFile } from '../../src/secrets/open-key-ring.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { createSelfSigned } from '../kit/self-signed.ts'
import { temporaryDatabase, temporaryFolder } from '../kit/temporary-resources.ts'

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

/** Serves the same JSON at every path, and returns its address. A function gets this address. */
async function serveJson(body: unknown, status = 200): Promise<string> {
  const server = createServer((_req, res) =>
    res
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(typeof body === 'function' ? body(url) : body)),
  )
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url
}

let database: Awaited<ReturnType<typeof temporaryDatabase>>
let settings: Record<string, string>
beforeAll(async () => {
  database = await temporaryDatabase()
  const keyRing = join(database.folder, 'ring.json')
  await createKeyFile(keyRing, PURPOSES)
  const provider = await serveJson({ keys: [await exportJWK((await generateKeyPair('EdDSA')).publicKey)] })
  settings = {
    TIWALA_ENVIRONMENT: 'live',
    PORT: String(await freePort()),
    TIWALA_OPERATOR_ADDRESS: `127.0.0.1:${await freePort()}`,
    DATABASE_URL: database.url,
    TIWALA_PUBLIC_URL: 'https://tiwala.invalid',
    TIWALA_TRUSTED_PROXIES: '127.0.0.1',
    TIWALA_KEY_RING_FILE: keyRing,
    TIWALA_CITIZEN_ISSUER: provider,
    TIWALA_CITIZEN_JWKS_URL: provider,
    TIWALA_OPERATOR_ISSUER: provider,
    TIWALA_OPERATOR_JWKS_URL: provider,
  }
  return () => database[Symbol.asyncDispose]()
})

async function findingsOf(changes: Record<string, string> = {}, callbacks?: string[]): Promise<Finding[]> {
  const environment = { ...settings, ...changes }
  const found: Finding[] = []
  for await (const finding of diagnose(environment, callbacks)) found.push(finding)
  expect(JSON.stringify(found)).not.toMatch(/S3cret|postgres:\/\//)
  // The disk of the machine that runs the test may be nearly full.
  return found.filter(({ about }) => about !== 'disk')
}

const faultsOf = async (...args: Parameters<typeof findingsOf>): Promise<string[]> =>
  (await findingsOf(...args)).flatMap(({ status, about, text }) =>
    status === 'problem' ? [`${about}: ${text}`] : [],
  )

test('before the start of a correct configuration, it finds no problem', async () => {
  const findings = await findingsOf()
  expect(findings.filter(({ status }) => status === 'problem')).toEqual([])
  expect(findings.map(({ about }) => about)).toEqual([
    'settings',
    'key ring',
    ...['version', 'settings', 'encoding', 'sessions', 'rights', 'connections', 'clock', 'TLS', 'schema'].map(
      (name) => `database ${name}`,
    ),
    'record partitions',
    'callbacks',
    'citizen identity',
    'operator identity',
    'proxies',
    `address 127.0.0.1:${settings['PORT']}`,
    `address ${settings['TIWALA_OPERATOR_ADDRESS']}`,
    'public URL',
  ])
})

test('settings and keys that are not those of the database are faults', async () => {
  await using other = await temporaryDatabase()
  const admin = new pg.Client(other.url)
  await admin.connect()
  await admin.query(`insert into bound_key values ('pepper', 'k1', 'f')`)
  expect(await faultsOf({ DATABASE_URL: other.url })).toEqual([
    expect.stringMatching(
      /^key ring: TIWALA_KEY_RING_FILE: the key ring has no key with the purpose "pepper" /,
    ),
  ])
  await admin.query(`insert into bound_setting values ('TIWALA_TIME_ZONE', 'Asia/Tokyo')`)
  await admin.end()
  expect(await faultsOf({ DATABASE_URL: other.url })).toEqual([
    expect.stringMatching(
      /^database schema: TIWALA_TIME_ZONE: is Asia\/Manila, and this database belongs to Asia\/Tok/,
    ),
  ])
})

test('every wrong setting is one fault', async () => {
  expect(await faultsOf({ PORT: '0x', TIWALA_TIME_ZONE: 'Asia/Nowhere' })).toEqual([
    expect.stringMatching(/^settings: PORT: /),
    expect.stringMatching(/^settings: TIWALA_TIME_ZONE: /),
  ])
})

test('a setting with a wrong name is a fault', async () => {
  // The terminal reads the other two.
  const misspelt = { TIWALA_QR_TTL_SECOND: '60', TIWALA_PAGER: 'less', TIWALA_PARTNER: 'HOTEL' }
  expect(await faultsOf(misspelt)).toEqual([
    expect.stringMatching(/^settings: TIWALA_QR_TTL_SECOND: is not a setting/),
  ])
})

test('a sandbox whose data folder is no folder has a fault that names the setting', async () => {
  const TIWALA_DATA_DIR = join(database.folder, 'ring.json')
  const findings: Finding[] = []
  for await (const finding of diagnose({ TIWALA_DATA_DIR })) findings.push(finding)
  expect(findings).toContainEqual({
    about: 'data folder',
    status: 'problem',
    text: expect.stringMatching(
      /^TIWALA_DATA_DIR: cannot use .*ring\.json \(ENOTDIR\)\. It must be a folder/,
    ),
  })
})

test('each part that does not work is a fault that says what to do', async () => {
  await using folder = await temporaryFolder()
  const exposed = join(folder.path, 'ring.json')
  await writeFile(exposed, '{}', { mode: 0o644 })
  const wrongPassword = new URL(database.url)
  wrongPassword.password = 'S3cret'
  const faults = await faultsOf(
    {
      TIWALA_KEY_RING_FILE: exposed,
      DATABASE_URL: wrongPassword.href,
      TIWALA_CITIZEN_JWKS_URL: `http://127.0.0.1:${await freePort()}/jwks.json`,
      TIWALA_OPERATOR_JWKS_URL: await serveJson({ keys: [] }),
      TIWALA_TRUSTED_PROXIES: '10.0.0.1',
      PORT: new URL(await serveJson({ name: 'another program' })).port,
      TIWALA_OPERATOR_ADDRESS: new URL(await serveJson({ status: 'unavailable', database: 'away' }, 503))
        .host,
    },
    ['https://127.0.0.1/callback', `https://callbacks.invalid/callback`],
  )
  expect(faults).toEqual([
    expect.stringMatching(/^key ring: .* other users can use .*chmod 0600/),
    expect.stringMatching(/^database connection: .* password authentication failed .* Check DATABASE_URL\.$/),
    expect.stringMatching(
      /^callbacks: 127\.0\.0\.1 gets no events, .* name the network in TIWALA_CALLBACK_NETWORKS/,
    ),
    expect.stringMatching(
      /^callbacks: callbacks\.invalid cannot be reached \((ENOTFOUND|EAI_AGAIN) callbacks/,
    ),
    expect.stringMatching(
      /^citizen identity: no keys at .* \(ECONNREFUSED 127\.0\.0\.1:\d+\)\. Check TIWALA_C/,
    ),
    expect.stringMatching(
      /^operator identity: no keys at .* \(no JWK set with a public key\)\. Check TIWALA_O/,
    ),
    expect.stringMatching(/^proxies: .* add 127\.0\.0\.1/),
    expect.stringMatching(
      /^address 127\.0\.0\.1:\d+: another program listens there\. Stop it, or change PORT/,
    ),
    expect.stringMatching(/^address .* the service is not ready: .*"database":"away"/),
  ])
})

test('a provider whose certificate a private authority signed: how to trust it', async () => {
  const server = createSecureServer(await createSelfSigned('localhost'), (_req, res) => res.end('{}'))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  expect(await faultsOf({ TIWALA_CITIZEN_JWKS_URL: url, TIWALA_STAFF_ISSUER: url })).toEqual(
    ['citizen identity: no keys at', 'workbench sign-in: no discovery document of'].map((begin) =>
      expect.stringMatching(new RegExp(`^${begin} .+ NODE_EXTRA_CA_CERTS=<file> in their environment`)),
    ),
  )
})

test('a sign-in in a browser: its discovery document, and the scopes that this one does not name', async () => {
  const signIns = async (staff: string, operators: string) => {
    const found = await findingsOf({
      TIWALA_STAFF_ISSUER: staff,
      TIWALA_OPERATOR_ISSUER: operators,
      TIWALA_CONSOLE_CLIENT_ID: 'console',
    })
    return found.flatMap(({ about, status, text }) =>
      about.endsWith('sign-in') ? [`${status} ${about}: ${text}`] : [],
    )
  }
  const whole = await serveJson((issuer: string) => ({ issuer }))
  const narrow = await serveJson((issuer: string) => ({
    issuer,
    scopes_supported: ['openid', 'partners:read'],
  }))
  expect(await signIns(whole, narrow)).toEqual([
    expect.stringMatching(
      /^note console sign-in: .+ does not name the scopes email partners:write .+ invalid_scope/,
    ),
    `ok workbench sign-in: at ${whole}`,
  ])
  expect(
    await signIns(await serveJson((issuer: string) => ({ issuer: `${issuer}/` })), narrow),
  ).toContainEqual(
    expect.stringMatching(
      /^problem workbench sign-in: (http\S+) calls itself \1\/\. Set the issuer to exactly/,
    ),
  )
  expect(
    await signIns(await serveJson({ issuer: 'https://other.example' }), await serveJson({}, 404)),
  ).toEqual([
    expect.stringMatching(/^problem console sign-in: no discovery document of http/),
    expect.stringMatching(/^problem workbench sign-in: no discovery document of http/),
  ])
})

test('after the start, the public URL must lead to the service', async () => {
  const [service, operators] = [await serveJson({ status: 'ok' }), await serveJson({ status: 'ok' })]
  expect(
    await faultsOf({ PORT: new URL(service).port, TIWALA_OPERATOR_ADDRESS: new URL(operators).host }),
  ).toEqual([
    expect.stringMatching(/^public URL: https:\/\/tiwala\.invalid fails \((ENOTFOUND|EAI_AGAIN) .*DNS/),
  ])
})

test('callbacks in a private network are checked if a setting names it', async () => {
  const callbacks = ['https://10.255.255.254:9/callback']
  const texts = async (networks: string) => {
    const findings = await findingsOf({ TIWALA_CALLBACK_NETWORKS: networks }, callbacks)
    return findings.filter(({ about }) => about === 'callbacks').map(({ text }) => text)
  }
  expect(await texts('')).toEqual([expect.stringContaining('its address is not allowed')])
  expect(await texts('10.255.0.0/16')).toEqual([expect.stringContaining('cannot be reached')])
})

test.each([
  ['127.0.0.1', /Forwarded of 127\.0\.0\.1 is ignored\. Let this proxy set X-Forwarded-For/],
  ['192.0.2.9', /X-Forwarded-For of 192\.0\.2\.9 is ignored\. .* add it to TIWALA_TRUSTED_PROXIES/],
])('a forwarding header of %s that the service ignores is a problem', async (ignored_proxy, text) => {
  const PORT = new URL(await serveJson({ status: 'ok', ignored_proxy })).port
  expect(await faultsOf({ PORT })).toEqual([expect.stringMatching(text)])
})
