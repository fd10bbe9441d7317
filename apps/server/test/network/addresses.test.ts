import { describe, expect, test } from 'vitest'
import {
  addressOf,
  createAddressCheck,
  isLoopbackHost,
  isPublicAddress,
  readAddress,
  readPrivateNetwork,
} from '../../src/network/addresses.ts'

/** The first and the last address of each range that no partner has, and the addresses next to the range. */
const RANGES = [
  { before: '', first: '0.0.0.0', last: '0.255.255.255', after: '1.0.0.0' },
  { before: '9.255.255.255', first: '10.0.0.0', last: '10.255.255.255', after: '11.0.0.0' },
  { before: '100.63.255.255', first: '100.64.0.0', last: '100.127.255.255', after: '100.128.0.0' },
  { before: '126.255.255.255', first: '127.0.0.0', last: '127.255.255.255', after: '128.0.0.0' },
  { before: '161.25.255.255', first: '161.26.0.0', last: '161.26.255.255', after: '161.27.0.0' },
  { before: '166.7.255.255', first: '166.8.0.0', last: '166.11.255.255', after: '166.12.0.0' },
  { before: '168.63.129.15', first: '168.63.129.16', last: '168.63.129.16', after: '168.63.129.17' },
  { before: '169.253.255.255', first: '169.254.0.0', last: '169.254.255.255', after: '169.255.0.0' },
  { before: '172.15.255.255', first: '172.16.0.0', last: '172.31.255.255', after: '172.32.0.0' },
  { before: '191.255.255.255', first: '192.0.0.0', last: '192.0.0.255', after: '192.0.1.0' },
  { before: '192.0.1.255', first: '192.0.2.0', last: '192.0.2.255', after: '192.0.3.0' },
  { before: '192.31.195.255', first: '192.31.196.0', last: '192.31.196.255', after: '192.31.197.0' },
  { before: '192.52.192.255', first: '192.52.193.0', last: '192.52.193.255', after: '192.52.194.0' },
  { before: '192.88.98.255', first: '192.88.99.0', last: '192.88.99.255', after: '192.88.100.0' },
  { before: '192.167.255.255', first: '192.168.0.0', last: '192.168.255.255', after: '192.169.0.0' },
  { before: '192.175.47.255', first: '192.175.48.0', last: '192.175.48.255', after: '192.175.49.0' },
  { before: '198.17.255.255', first: '198.18.0.0', last: '198.19.255.255', after: '198.20.0.0' },
  { before: '198.51.99.255', first: '198.51.100.0', last: '198.51.100.255', after: '198.51.101.0' },
  { before: '203.0.112.255', first: '203.0.113.0', last: '203.0.113.255', after: '203.0.114.0' },
  { before: '223.255.255.255', first: '224.0.0.0', last: '239.255.255.255', after: '' },
  { before: '', first: '240.0.0.0', last: '255.255.255.255', after: '' },
  { before: '', first: '::', last: '1fff:ffff::ffff', after: '2000::' },
  { before: '2000:ffff::ffff', first: '2001::', last: '2001:1ff::ffff', after: '2001:200::' },
  { before: '2001:db7::ffff', first: '2001:db8::', last: '2001:db8:ffff::ffff', after: '2001:db9::' },
  { before: '2001:ffff::ffff', first: '2002::', last: '2002:ffff::ffff', after: '2003::' },
  {
    before: '2620:4f:7fff::1',
    first: '2620:4f:8000::',
    last: '2620:4f:8000:ffff::',
    after: '2620:4f:8001::',
  },
  { before: '3ffe:ffff::ffff', first: '3fff::', last: '3fff:fff:ffff::', after: '3fff:1000::' },
  { before: '3fff:ffff::ffff', first: '4000::', last: 'ffff:ffff::ffff', after: '' },
]

describe('isPublicAddress', () => {
  test.each(RANGES)('refuses $first to $last, and not the addresses next to it', (range) => {
    const { before, first, last, after } = range
    expect([first, last].filter(isPublicAddress)).toEqual([])
    const neighbors = [before, after].filter((address) => address !== '')
    expect(neighbors.filter(isPublicAddress)).toEqual(neighbors)
  })
})

test.each([
  ['127.0.0.1:1', { host: '127.0.0.1', port: 1 }],
  ['[::1]:65535', { host: '::1', port: 65_535 }],
  ['localhost:0', undefined],
  ['localhost:65536', undefined],
  ['localhost', undefined],
])('the address %s', (input, address) => {
  expect(readAddress(input)).toEqual(address)
})

test.each([
  ['127.255.0.1', true],
  ['128.0.0.1', false],
  ['[::1]', true],
  ['[::2]', false],
  ['::1%lo', false],
  ['localhost', true],
  ['LOCALHOST.', true],
  ['db.localhost', true],
  ['notlocalhost', false],
  ['localhost.example', false],
])('whether the host %s is this machine: %s', (host, is) => {
  expect(isLoopbackHost(host)).toBe(is)
})

test.each(['fe80::1%lo', '2606:4700::1%lo', 'example.com', ''])('%o is no public address', (text) => {
  expect(isPublicAddress(text)).toBe(false)
})

test('an IPv6 address counts as its network of 64 bits, an IPv4 address as itself', () => {
  expect(addressOf({ ip: '2001:db8::1' })).toBe('2001:db8::/64')
  expect(addressOf({ ip: '2001:db8::ffff:1' })).toBe('2001:db8::/64')
  expect(addressOf({ ip: '2001:db8:0:1::1' })).toBe('2001:db8:0:1::/64')
  expect([addressOf({ ip: '192.0.2.1' }), addressOf({ ip: '192.0.2.2' })]).toEqual(['192.0.2.1', '192.0.2.2'])
})

describe('readPrivateNetwork', () => {
  test.each([
    ['10.20.0.0/16', '10.20.0.0/16'],
    ['10.1.2.3', '10.1.2.3/32'],
    ['100.64.0.0/10', '100.64.0.0/10'],
    ['fd12:3456::/48', 'fd12:3456::/48'],
    ['fd12::1', 'fd12::1/128'],
  ])('%s', (text, network) => {
    expect(readPrivateNetwork(text)).toBe(network)
  })

  test.each([
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/7',
    '172.0.0.0/8',
    '192.168.0.0/15',
    'fc00::/6',
    '127.0.0.0/8',
    '127.0.0.1',
    '::1',
    '169.254.0.0/16',
    '169.254.169.254',
    'fe80::/10',
    '192.0.0.192',
    '::ffff:10.0.0.0/104',
    '::ffff:10.0.0.1',
    '::ffff:0.0.0.0/96',
    '8.8.8.0/24',
    '2001:db8::/32',
    '10.0.0.0/33',
    'fc00::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/8.0',
    '10.0/8',
    'fc00::1%lo',
    'agency.example',
    '',
    '/8',
    '10.0.0.0/255.0.0.0',
  ])('"%s" is no part of a private network', (text) => {
    expect(readPrivateNetwork(text)).toBeUndefined()
  })
})

describe('the addresses of the servers of partners', () => {
  const networks = ['10.20.0.0/16', '100.64.0.0/10', 'fc00::/7']

  test.each(['8.8.8.8', '10.20.0.1', '10.20.255.255', '100.99.0.1', 'fd12::1', '::ffff:10.20.0.1'])(
    '%s is allowed',
    (address) => {
      expect(createAddressCheck({ allowLoopback: false, networks })(address)).toBe(true)
    },
  )

  test.each([
    '10.21.0.1',
    '192.168.0.1',
    '127.0.0.1',
    '::1',
    '169.254.169.254',
    'fe80::1',
    'fd12::1%lo',
    'a.example',
    // The metadata of clouds.

    '100.100.100.200',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    '::ffff:100.100.100.200',
    '192.0.0.192',
  ])('%s is not allowed', (address) => {
    expect(createAddressCheck({ allowLoopback: false, networks })(address)).toBe(false)
  })
})
