import { expect, test } from 'vitest'
import type { Failure } from '../../src/failure.ts'
import { requireAllowedAddress, requireRanges } from '../../src/partners/allow-list.ts'

test.each([
  { list: ['203.0.113.7'], ip: '203.0.113.7', isAllowed: true },
  { list: ['203.0.113.7'], ip: '::ffff:203.0.113.7', isAllowed: true },
  { list: ['::ffff:203.0.113.0/120'], ip: '203.0.113.7', isAllowed: true },
  { list: ['::ffff:0:0/96'], ip: '203.0.113.7', isAllowed: true },
  { list: ['203.0.113.7'], ip: '203.0.113.8', isAllowed: false },
  { list: ['203.0.113.7'], ip: undefined, isAllowed: false },
  { list: ['203.0.113.7'], ip: 'unknown', isAllowed: false },
  { list: ['::/0'], ip: '203.0.113.7', isAllowed: false },
  { list: [], ip: undefined, isAllowed: true },
])('$ip in $list: $isAllowed', ({ list, ip, isAllowed }) => {
  const refusal = () => {
    try {
      requireAllowedAddress({ ip_allow_list: list }, { ip })
      return undefined
    } catch (error) {
      return (error as Failure).code
    }
  }
  expect(refusal()).toBe(isAllowed ? undefined : 'ip_not_allowed')
})

test('a range of IPv6 that contains more than the addresses of IPv4 is none of IPv4', () => {
  expect(() => requireRanges('ip_allow_list', ['::ffff:0:0/96'])).not.toThrow()
  expect(() => requireRanges('ip_allow_list', ['::ffff:0:0/90'])).toThrow('A field is missing or wrong')
})
