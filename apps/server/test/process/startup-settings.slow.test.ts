// Settings that stop a start, and the differences between the two environments.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { OperationId } from '@tiwala/contract'
import { locate } from '@tiwala/kit/operations'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { refusalOf } from '../kit/api-client.ts'
import { LIVE, liveOn } from '../kit/live-settings.ts'
import { startProcess, startupErrorOf, startReadyProcess } from '../kit/server-process.ts'
import { temporaryDatabase, temporaryFolder } from '../kit/temporary-resources.ts'

test('a port in use stops the start, and the error says what to do', async () => {
  await using database = await temporaryDatabase()
  const otherServer = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => otherServer.once('listening', resolve))
  const { port } = otherServer.address() as { port: number }
  expect(
    await startupErrorOf({
      ...database.settings,
      TIWALA_DOCUMENTS: 'citizen-app',
      PORT: String(port),
    }),
  ).toContain(`Port ${port} is in use. Stop what listens there, or choose another: PORT=8090 (`)
  // Nothing is created for a start that cannot succeed.
  await using folder = await temporaryFolder()
  const TIWALA_DATA_DIR = join(folder.path, 'data')
  expect(await startupErrorOf({ TIWALA_DATA_DIR, PORT: String(port) })).toContain('is in use.')
  expect(existsSync(TIWALA_DATA_DIR)).toBe(false)
  otherServer.close()
})

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
  '%s during the start ends the process with 0, as a service that runs',
  async (signal) => {
    // A PostgreSQL that does not respond.
    const database = createServer().listen(0, '127.0.0.1')
    await once(database, 'listening')
    const { port } = database.address() as { port: number }
    await using server = await startProcess({ DATABASE_URL: `postgres://tiwala@127.0.0.1:${port}/tiwala` })
    const [socket] = (await once(database, 'connection')) as [Socket]
    expect(await server.end(signal)).toBe(0)
    socket.destroy()
    database.close()
    expect([server.stdout(), server.stderr()]).toEqual(['', ''])
  },
)

test('a host of another machine stops the start, and the error names HOST', async () => {
  await using folder = await temporaryFolder()
  expect(await startupErrorOf({ HOST: '192.0.2.1', TIWALA_DATA_DIR: folder.path })).toMatch(
    /Cannot listen at 192\.0\.2\.1, port \d+ \(see HOST and PORT\)/,
  )
})

test.each(['file', 'file/data', 'database-file'])(
  'a data folder "%s" stops the start, and the error names it',
  async (name) => {
    await using folder = await temporaryFolder()
    const TIWALA_DATA_DIR = join(folder.path, name)
    await mkdir(join(folder.path, 'database-file'))
    for (const file of ['file', 'database-file/database']) await writeFile(join(folder.path, file), '')
    expect(await startupErrorOf({ TIWALA_DATA_DIR })).toBe(
      `Tiwala cannot start: TIWALA_DATA_DIR: cannot use ${TIWALA_DATA_DIR} (ENOTDIR). ` +
        'It must be a folder in which the user of the service may write.\n',
    )
  },
)

describe('settings', () => {
  test('every wrong setting is named at once, with its error', async () => {
    const startupError = await startupErrorOf({
      PORT: '99999',
      TIWALA_ENVIRONMENT: 'production',
      TIWALA_QR_TTL_SECONDS: 'soon',
      TIWALA_TIME_ZONE: 'Asia/Nowhere',
      TIWALA_DOCUMENTS: 'partner,admin',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'postgres//svc:S3cret@host/db',
      TIWALA_TRUSTED_PROXIES: '10.0.0.1, proxy',
      TIWALA_TOKENS_PER_MINUTE: '',
    })
    expect(startupError).not.toContain('S3cret')
    for (const name of [
      'PORT',
      'TIWALA_ENVIRONMENT',
      'TIWALA_QR_TTL_SECONDS',
      'TIWALA_TIME_ZONE',
      'TIWALA_DOCUMENTS',
      'LOG_LEVEL',
      'DATABASE_URL',
      'TIWALA_TRUSTED_PROXIES',
      'TIWALA_TOKENS_PER_MINUTE',
    ])
      expect(startupError).toMatch(new RegExp(`^  ${name}: .{10,}$`, 'm'))
  })

  test('live: every missing setting is named; the embedded database is not allowed', async () => {
    await using folder = await temporaryFolder()
    const startupError = await startupErrorOf({ TIWALA_ENVIRONMENT: 'live', TIWALA_DATA_DIR: folder.path })
    for (const name of [
      'DATABASE_URL',
      'TIWALA_PUBLIC_URL',
      'TIWALA_CITIZEN_ISSUER',
      'TIWALA_CITIZEN_JWKS_URL',
      'TIWALA_OPERATOR_ISSUER',
      'TIWALA_OPERATOR_JWKS_URL',
      'TIWALA_KEY_RING or TIWALA_KEY_RING_FILE',
      'TIWALA_TRUSTED_PROXIES',
    ])
      expect(startupError).toMatch(new RegExp(`^  ${name}: is required`, 'm'))
  })

  test('a key ring that lacks a key stops the start, and the error shows no key', async () => {
    const [pepper] = mintKeys()
    const startupError = await startupErrorOf({ TIWALA_KEY_RING: JSON.stringify({ keys: [pepper] }) })
    expect(startupError).toBe(
      'Tiwala cannot start: TIWALA_KEY_RING: ' +
        'The key ring lacks a 256-bit key with the purpose "access-token".\n',
    )
    expect(startupError).not.toContain(pepper!.k)
    expect(await startupErrorOf({ TIWALA_KEY_RING: `{"keys": "${pepper!.k}` })).not.toContain(pepper!.k)
  })

  test('a key ring file that others can read stops a live start: one line, and no key', async () => {
    const { TIWALA_KEY_RING: _, ...live } = LIVE
    await using folder = await temporaryFolder()
    const [file, ring] = [join(folder.path, 'ring.json'), mintKeys()]
    await writeFile(file, JSON.stringify({ keys: ring }))
    await chmod(file, 0o644)
    const error = await startupErrorOf({ ...live, TIWALA_KEY_RING_FILE: file })
    expect(error).toMatch(
      /^Tiwala cannot start: TIWALA_KEY_RING_FILE: other users can use .* \(mode 0644\)\..*\n$/,
    )
    for (const { k } of ring.filter(({ kty }) => kty === 'oct')) expect(error).not.toContain(k)
  })
})

test('403, 404: live has no sandbox page and no sandbox data, and no web page may use secrets', async () => {
  await using database = await temporaryDatabase()
  const operatorAddress = `127.0.0.1:${await freePort()}`
  await using live = await startReadyProcess({
    ...liveOn(database.url),
    TIWALA_OPERATOR_ADDRESS: operatorAddress,
  })
  const statusOf = async (path: string) => (await fetch(live.url + path)).status
  expect(await Promise.all(['/healthz', '/readyz', '/'].map(statusOf))).toEqual([200, 200, 200])
  expect(
    await Promise.all(
      [
        '/sandbox/bootstrap.json',
        '/sandbox/photos/1.svg',
        '/sandbox/inbox',
        '/sandbox',
        '/sandbox/',
        `/sandbox/sbx_${'0'.repeat(22)}/requests`,
      ].map(statusOf),
    ),
  ).toEqual([404, 404, 404, 404, 404, 404])
  expect((await fetch(`${live.url}/sandbox`, { method: 'POST' })).status).toBe(404)
  // The files of the documentation site have a test of their own.
  const names = ['partner', 'citizen-app'].flatMap((name) => [`${name}.json`, `${name}.yaml`])
  const flat = ['3.0.json', '3.0-headers.json'].map((name) => `partner-${name}`)
  flat.push('partner.postman_collection.json', 'partner.http')
  const paths = ['/', '/docs', ...[...names, ...flat].map((name) => `/openapi/${name}`)]
  const urls = [...paths.map((path) => live.url + path), `http://${operatorAddress}/openapi/operator.json`]
  for (const url of urls) {
    const text = await (await fetch(url)).text()
    expect([url, /.{0,60}(sandbox|localhost|_test_).{0,60}/i.exec(text)?.[0]]).toEqual([url, undefined])
  }
  expect(live.stdout()).not.toMatch(/sandbox|bootstrap/)
  expect(await statusOf('/openapi/operator.json')).toBe(404)
  expect((await fetch(`http://${operatorAddress}/openapi/operator.json`)).status).toBe(200)
  const lines = live.stdout().trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { msg: string })
  expect(entries.find(({ msg }) => msg === 'Tiwala is ready')).toMatchObject({
    environment: 'live',
    public_url: 'https://tiwala.example',
    operator_url: `http://${operatorAddress}`,
  })

  // The secrets need not be valid: the request of a page is refused before the lookup, even from the same
  // origin.
  const byPage = async (id: OperationId, headers: Record<string, string>, body?: string) => {
    const { method, path } = locate(id)
    const init = { method, headers: { Origin: live.url, ...headers }, ...(body !== undefined && { body }) }
    return refusalOf(fetch(live.url + path, init))
  }
  const secrets = { 'X-Secret-Code': 'twc_x', 'X-Secret-Token': 'twt_live_x' }
  const fields = {
    partner_code: 'HOTEL',
    partner_secret: 'tws_live_x',
    scope: 'SSO_AUTHENTICATION',
    exchange_code: 'twx_x',
  }
  expect(await byPage('readPartnerSelf', secrets)).toBe('403 browser_use_forbidden')
  expect(await byPage('generateToken', { 'Content-Type': 'application/json' }, JSON.stringify(fields))).toBe(
    '403 browser_use_forbidden',
  )

  const inside = new pg.Client(database.url)
  await inside.connect()
  const { rows } = await inside.query(
    'select (select count(*)::int from partner) as partners, (select count(*)::int from citizen) as citizens',
  )
  expect(rows).toEqual([{ partners: 0, citizens: 0 }])
  await inside.end()
  // This signal would open the inspector of Node.
  live.sendSignal('SIGUSR1')
  expect((await fetch(`${live.url}/healthz`)).status).toBe(200)
  expect(live.stderr()).toBe('')
  // One process drains, and its supervisor starts it again.
  expect(await live.end('SIGHUP')).toBe(0)

  // A forgotten TIWALA_ENVIRONMENT: as a sandbox, this process would seed and serve the live data.
  expect(await startupErrorOf(database.settings)).toContain(
    'This database belongs to the live environment and this process is sandbox.',
  )
})
