import { expect, test } from 'vitest'
import { hasRepeatedKey } from '../../src/contract/repeated-keys.ts'

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"b":{"c":[{"d":1 , "d" :2}]}}',
  '{"a":1,"\\u0061":2}',
  '{"__proto__":1,"__proto__":2}',
])('%s has a key twice', (text) => expect(hasRepeatedKey(text)).toBe(true))

test.each([
  '{}',
  'null',
  '"a\\":"',
  '{"a":"\\"b\\":","b":"a\\\\"}',
  '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
  '{"__proto__":1,"constructor":{"a":1}}',
  '{"a":1,"a":',
])('%s has none', (text) => expect(hasRepeatedKey(text)).toBe(false))

test('a text with a string that does not end is searched in linear time', () => {
  // A quadratic search would take minutes.
  expect(hasRepeatedKey(`"${String.raw`\"`.repeat(300_000)}`)).toBe(false)
})
