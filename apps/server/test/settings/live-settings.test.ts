// Settings with which the live environment refuses to start, each with one clear line.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { LIVE } from '../kit/live-settings.ts'

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

test('in live a change that widens access waits for a second person, in the sandbox it does not', () => {
  expect(readConfig(LIVE).approvals.kinds).toEqual(['settings'])
  expect(readConfig({}).approvals.kinds).toEqual([])
})

test.each(['TIWALA_POOLER_URL', 'TIWALA_REPLICA_URL'])(
  '%s needs TLS as the database does, and a database',
  (name) => {
    const settings = { [name]: 'postgres://svc:S3cret@other.example/tiwala' }
    expect(refusalOf(settings)).toMatch(new RegExp(`^${name}: leads to other\\.example without TLS`))
    expect(messageOf(() => readConfig(settings))).toBe(
      `${name}: needs DATABASE_URL, for the other connections (see SETTINGS.md)`,
    )
  },
)

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
    expect(refusalOf({ [name]: 'file:///etc/jwks.json' })).toMatch(new RegExp(`^${name}: is not `))
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

  test('a setting allows a connection without TLS to the named hosts only', () => {
    const DATABASE_URL = 'postgres://svc:S3cret@db.example/tiwala'
    expect(refusalOf({ DATABASE_URL, TIWALA_DATABASE_WITHOUT_TLS: 'db.example' })).toBe(STARTS)
    for (const other of ['allowed', 'true', 'db', 'other.example'])
      expect(refusalOf({ DATABASE_URL, TIWALA_DATABASE_WITHOUT_TLS: other })).toMatch(WITHOUT)
    const TIWALA_POOLER_URL = 'postgres://svc:S3cret@pooler.example/tiwala'
    const both = (hosts: string) =>
      refusalOf({ DATABASE_URL, TIWALA_POOLER_URL, TIWALA_DATABASE_WITHOUT_TLS: hosts })
    expect(both('db.example')).toMatch(/^TIWALA_POOLER_URL: leads to pooler\.example without TLS\. /)
    expect(both('db.example, pooler.example')).toBe(STARTS)
  })

  test('the environment variable of the driver counts', () => {
    vi.stubEnv('PGSSLMODE', 'verify-full')
    expect(refusalOf({ DATABASE_URL: 'postgres://svc:S3cret@db.example/tiwala' })).toBe(STARTS)
    vi.stubEnv('PGSSLMODE', 'no-verify')
    expect(refusalOf({ DATABASE_URL: 'postgres://svc:S3cret@db.example/tiwala' })).toMatch(UNVERIFIED)
  })
})
