// Callback URLs that an administrator cannot register (SSRF). The delivery checks the resolved address each
// time.
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/failure.ts'
import { requireSafeCallback, requireSafeUrl } from '../../src/network/safe-url.ts'

const isRefused = (url: string, environment: 'sandbox' | 'live') => {
  try {
    requireSafeUrl('callback_url', url, environment)
    return false
  } catch (refusal) {
    expect(refusal).toMatchObject({
      code: 'validation_failed',
      errors: { callback_url: [expect.any(String)] },
    } satisfies Partial<Failure>)
    return true
  }
}

const LOOPBACK = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  '%6cocalhost',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '127.0.0.1.',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
]

const INTERNAL = [
  'api.localhost',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '0xa.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '0300.0250.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '192.0.2.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::127.0.0.1]',
  '[::8.8.8.8]',
  '168.63.129.16',
  '[::ffff:a83f:8110]',
  '[64:ff9b:1::1]',
  '[fec0::1]',
  '[4000::1]',
  '[3fff::1]',
  '198.18.0.1',
  '[::10.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:10.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[febf::1]',
  '[ff02::1]',
  '[2001:db8::1]',
]

const PUBLIC = [
  'hotel.example',
  'localhost.hotel.example',
  '10.hotel.example',
  '93.184.215.14',
  '172.32.0.1',
  '100.128.0.1',
  '[2606:4700::6810:1]',
]

describe('live', () => {
  test.each([...LOOPBACK, ...INTERNAL])('https://%s is refused', (host) => {
    expect(isRefused(`https://${host}/callback`, 'live')).toBe(true)
    expect(isRefused(`https://${host}:8443/callback`, 'live')).toBe(true)
  })
  test.each(PUBLIC)('https://%s is accepted, without credentials', (host) => {
    expect(isRefused(`https://${host}/callback`, 'live')).toBe(false)
    for (const wrong of [
      'http://',
      'ftp://',
      'https://user@',
      'https://user:password@',
      'https://:password@',
    ])
      expect(isRefused(wrong + host, 'live')).toBe(true)
  })
})

test.each(['https:hotel.example/', 'https:/hotel.example/', 'https:///hotel.example/', 'http:localhost/'])(
  '%s is refused: programs read its host in different ways',
  (url) => expect([isRefused(url, 'live'), isRefused(url, 'sandbox')]).toEqual([true, true]),
)

describe('sandbox', () => {
  const uris = LOOPBACK.filter((host) => /^[\x21-\x7e]+$/.test(host))
  test.each(uris)('%s is accepted, also over http', (host) => {
    expect([isRefused(`https://${host}/`, 'sandbox'), isRefused(`http://${host}:3000/`, 'sandbox')]).toEqual([
      false,
      false,
    ])
    expect([
      isRefused(`ftp://${host}/`, 'sandbox'),
      isRefused(`http://user:password@${host}/`, 'sandbox'),
    ]).toEqual([true, true])
  })
  test.each([...INTERNAL, ...PUBLIC])('%s is refused over http', (host) => {
    expect(isRefused(`http://${host}/`, 'sandbox')).toBe(true)
  })
  test.each(INTERNAL)('%s is refused over https', (host) => {
    expect(isRefused(`https://${host}/`, 'sandbox')).toBe(true)
  })
})

describe('a callback URL in a private network', () => {
  const register = (url: string, networks: string[]) => () =>
    requireSafeCallback(url, { allowLoopback: false, networks })

  test.each(['https://10.20.0.1/', 'https://10.20.0.1:8443/events', 'https://[fd12::1]/'])(
    '%s is accepted if the network is allowed',
    (url) => {
      expect(register(url, ['10.20.0.0/16', 'fd12::/16'])).not.toThrow()
      expect(register(url, ['10.21.0.0/16', 'fd13::/16'])).toThrow(Failure)
    },
  )

  test.each([
    'http://10.20.0.1/',
    'https://user@10.20.0.1/',
    'https://127.0.0.1/',
    'http://localhost/',
    'https://[fd00:ec2::254]/',
  ])('%s is refused although networks are allowed', (url) => {
    expect(register(url, ['10.20.0.0/16', 'fc00::/7'])).toThrow(Failure)
  })
})

test('a missing URL is valid; an invalid URL is refused', () => {
  for (const none of [null, undefined])
    expect(() => requireSafeUrl('callback_url', none, 'live')).not.toThrow()
  for (const wrong of ['hotel.example', 'https://', 'https://[::1', '//hotel.example'])
    expect(isRefused(wrong, 'live')).toBe(true)
})

test.each([
  'https://events.{hotel.example/',
  'https://hotel.example/{id}',
  'https://hotel.example/ñ',
  'https://hotél.example/',
  'https://hotel.example/a b',
  'https://hotel.example/?list[]=1',
  'https://hotel.example/%zz',
])('%s is refused, because it has a character that is not one of a URI', (url) => {
  expect(() => requireSafeUrl('callback_url', url, 'live')).toThrow(
    expect.objectContaining({ errors: { callback_url: [expect.stringContaining('percent-encoded')] } }),
  )
})

test.each(['https://xn--hotl-dpa.example:8443/a%20b/?list%5B%5D=1&a=~(b)*!#c', 'https://[2606:4700::1111]/'])(
  '%s is accepted',
  (url) => expect(isRefused(url, 'live')).toBe(false),
)
