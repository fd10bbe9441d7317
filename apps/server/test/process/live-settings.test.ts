// Settings with which the live environment refuses to start, each with one clear line.
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { mintKeys, openKeyRing, requireKeys, requirePrivate } from '../../src/secrets/open-key-ring.ts'
import { LIVE } from '../kit/live-settings.ts'
import { startupErrorOf } from '../kit/server-process.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

const STARTS = 'starts'

/** The error message for these settings: one line without a secret. */
function refusalOf(settings: Record<string, string>): string {
  const error = messageOf(() => readConfig({ ...LIVE, ...settings }))
  expect(error).not.toMatch(/S3cret|\n/)
  return error
}

function messageOf(act: () => unknown): string {
  try {
    act()
    return STARTS
  } catch (error) {
    return (error as Error).message
  }
}
afterEach(() => void vi.unstubAllEnvs())

test('control: live starts with correct settings', () => {
  expect(refusalOf({})).toBe(STARTS)
})

test('without a trusted proxy, live starts only for operators', () => {
  expect(refusalOf({ TIWALA_TRUSTED_PROXIES: '' })).toMatch(
    /^TIWALA_TRUSTED_PROXIES: is required in live\. Name the address of the TLS terminator/,
  )
  expect(refusalOf({ TIWALA_TRUSTED_PROXIES: '', TIWALA_DOCUMENTS: 'operator' })).toBe(STARTS)
})

describe('plain http', () => {
  test.each([
    'http://tiwala.example',
    'http://localhost:8080',
    'HTTP://tiwala.example',
    'ftp://tiwala.example',
  ])('public URL: %s', (url) => {
    expect(refusalOf({ TIWALA_PUBLIC_URL: url })).toMatch(/^TIWALA_PUBLIC_URL: must be an https URL in live/)
  })

  const PROVIDERS = [
    'TIWALA_CITIZEN_ISSUER',
    'TIWALA_CITIZEN_JWKS_URL',
    'TIWALA_OPERATOR_ISSUER',
    'TIWALA_OPERATOR_JWKS_URL',
  ]
  test.each(PROVIDERS)('%s', (name) => {
    for (const host of [
      'identity.example',
      '10.0.0.1',
      'localhost.identity.example',
      '127.0.0.1.identity.example',
      '[::ffff:10.0.0.1]',
    ])
      expect(refusalOf({ [name]: `http://${host}/x` })).toMatch(
        new RegExp(`^${name}: must be an https URL in live`),
      )
    expect(refusalOf({ [name]: 'file:///etc/jwks.json' })).toMatch(
      new RegExp(`^${name}: must be an https URL`),
    )
    for (const host of ['localhost:9000', '127.0.0.1:9000', '[::1]:9000'])
      expect(refusalOf({ [name]: `http://${host}/x` })).toBe(STARTS)
  })

  test('the sandbox allows plain http', () => {
    const settings = {
      TIWALA_PUBLIC_URL: 'http://tiwala.example',
      TIWALA_CITIZEN_JWKS_URL: 'http://identity.example/jwks.json',
    }
    expect(() => readConfig({ ...settings, DATABASE_URL: 'postgres://svc@db.example/tiwala' })).not.toThrow()
  })
})

describe('the connection to PostgreSQL', () => {
  const WITHOUT =
    /^DATABASE_URL: leads to db\.example without TLS\. .*TIWALA_DATABASE_WITHOUT_TLS=db\.example/
  const UNVERIFIED = /^DATABASE_URL: leads to db\.example with TLS that does not verify the server\. /
  const ALLOWED = /^starts$/
  test.each<[string, string, RegExp]>([
    ['no TLS', 'postgres://svc:S3cret@db.example/tiwala', WITHOUT],
    ['sslmode=disable', 'postgres://svc:S3cret@db.example/tiwala?sslmode=disable', WITHOUT],
    ['ssl=0', 'postgres://svc:S3cret@db.example/tiwala?ssl=0', WITHOUT],
    ['a host in the query', 'postgres://svc:S3cret@localhost/tiwala?host=db.example', WITHOUT],
    ['sslmode=no-verify', 'postgres://svc:S3cret@db.example/tiwala?sslmode=no-verify', UNVERIFIED],
    [
      'sslmode=require in the meaning of libpq',
      'postgres://svc:S3cret@db.example/tiwala?uselibpqcompat=true&sslmode=require',
      UNVERIFIED,
    ],
    [
      'sslmode=prefer in the meaning of libpq',
      'postgres://svc:S3cret@db.example/tiwala?uselibpqcompat=true&sslmode=prefer',
      UNVERIFIED,
    ],
    ['sslmode=verify-full', 'postgres://svc:S3cret@db.example/tiwala?sslmode=verify-full', ALLOWED],
    [
      'sslmode=require, which the driver verifies',
      'postgres://svc:S3cret@db.example/tiwala?sslmode=require',
      ALLOWED,
    ],
    ['ssl=true, which the driver verifies', 'postgres://svc:S3cret@db.example/tiwala?ssl=true', ALLOWED],
    ['loopback', 'postgres://svc:S3cret@127.0.0.1/tiwala', ALLOWED],
    ['loopback, IPv6', 'postgres://svc:S3cret@[::1]/tiwala', ALLOWED],
    ['a Unix socket', 'postgres://svc:S3cret@%2Fvar%2Frun%2Fpostgresql/tiwala', ALLOWED],
    ['a Unix socket in the query', 'postgres:///tiwala?host=/var/run/postgresql', ALLOWED],
    [
      'a private address',
      'postgres://svc:S3cret@10.0.0.5/tiwala',
      /^DATABASE_URL: leads to 10\.0\.0\.5 without TLS/,
    ],
    [
      'a missing certificate file',
      'postgres://svc:S3cret@db.example/t?sslrootcert=/nowhere.pem',
      /^DATABASE_URL: .* \(ENOENT\)/,
    ],
  ])('%s', (_what, url, error) => {
    expect(refusalOf({ DATABASE_URL: url })).toMatch(error)
  })

  test('a setting allows a connection without TLS to the named host only', () => {
    const DATABASE_URL = 'postgres://svc:S3cret@db.example/tiwala'
    expect(refusalOf({ DATABASE_URL, TIWALA_DATABASE_WITHOUT_TLS: 'db.example' })).toBe(STARTS)
    for (const other of ['allowed', 'true', 'db', 'other.example'])
      expect(refusalOf({ DATABASE_URL, TIWALA_DATABASE_WITHOUT_TLS: other })).toMatch(WITHOUT)
  })

  test('the environment variable of the driver counts', () => {
    vi.stubEnv('PGSSLMODE', 'verify-full')
    expect(refusalOf({ DATABASE_URL: 'postgres://svc:S3cret@db.example/tiwala' })).toBe(STARTS)
    vi.stubEnv('PGSSLMODE', 'no-verify')
    expect(refusalOf({ DATABASE_URL: 'postgres://svc:S3cret@db.example/tiwala' })).toMatch(UNVERIFIED)
  })
})

describe('a key ring file with permissions for other users', () => {
  const { TIWALA_KEY_RING: _, ...live } = LIVE

  async function refusalOfFile(mode: number, environment = 'live') {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'ring.json')
    await writeFile(file, JSON.stringify({ keys: mintKeys() }))
    await chmod(file, mode)
    const settings = { ...live, TIWALA_ENVIRONMENT: environment, TIWALA_KEY_RING_FILE: file }
    return requireKeys(readConfig(settings)).then(
      () => undefined,
      ({ message }: Error) => message.replace(folder.path, ''),
    )
  }

  test.each([0o644, 0o604, 0o602, 0o660, 0o640, 0o620, 0o610, 0o777])('mode %o is refused', async (mode) => {
    const shown = mode.toString(8).padStart(4, '0')
    expect(await refusalOfFile(mode)).toBe(
      `TIWALA_KEY_RING_FILE: other users can use /ring.json (mode ${shown}). ` +
        'Remove their rights: chmod 0600, or mount the file with that mode.',
    )
  })

  test.each([0o600, 0o400])('mode %o is accepted', async (mode) => {
    expect(await refusalOfFile(mode)).toBeUndefined()
  })

  test('the sandbox does not check the permissions', async () => {
    expect(await refusalOfFile(0o644, 'sandbox')).toBeUndefined()
  })

  test('the sandbox creates its folder and its key ring for its user only', async () => {
    await using folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    const { close } = await openKeyRing(readConfig({ TIWALA_DATA_DIR: dataDir }), () => {})
    await close()
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    expect([await modeOf(dataDir), await modeOf(join(dataDir, 'keys.json'))]).toEqual([0o700, 0o600])
  })

  test('if another user owns the file, its group may read it, as with a mounted secret', () => {
    const check = (mode: number) => () =>
      requirePrivate('/ring.json', { mode: 0o100_000 + mode, uid: process.getuid!() + 1 })
    for (const mode of [0o440, 0o640, 0o400]) expect(check(mode)).not.toThrow()
    for (const mode of [0o444, 0o644, 0o460, 0o450, 0o404]) expect(check(mode)).toThrow(/chmod 0440/)
  })

  test('a symbolic link: the permissions of its target count, at the start and at each change', async () => {
    await using folder = await temporaryFolder()
    const [data, link] = [join(folder.path, '..data'), join(folder.path, 'ring.json')]
    await mkdir(data)
    await writeFile(join(data, 'ring.json'), JSON.stringify({ keys: mintKeys() }), { mode: 0o644 })
    await chmod(join(data, 'ring.json'), 0o644)
    await symlink(join('..data', 'ring.json'), link)
    const config = readConfig({ ...live, TIWALA_KEY_RING_FILE: link })
    await expect(requireKeys(config)).rejects.toThrow('mode 0644')
    await chmod(join(data, 'ring.json'), 0o600)
    await requireKeys(config)
    const refusals: string[] = []
    const { keys, close } = await openKeyRing(config, ({ message }) => void refusals.push(message))
    const before = keys.list()
    await chmod(join(data, 'ring.json'), 0o644)
    await writeFile(join(data, 'ring.json'), JSON.stringify({ keys: mintKeys() }))
    await expect.poll(() => refusals.at(-1), { timeout: 10_000 }).toContain('mode 0644')
    expect(keys.list()).toEqual(before)
    await close()
  })

  test('stops the process with one line that contains no key', async () => {
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
