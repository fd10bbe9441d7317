import { RE2JS } from 're2js'
import { checkSync } from 'recheck'
import { expect, test } from 'vitest'
// The regular expressions of the documents. The server runs them on what anyone sends, and programs in other languages
// run those of partners and citizen apps.
import { documents } from '../src/contract-check/documents.ts'
import { expectNone } from './expect-none.ts'

function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsOf(inner),
  )
}
const unique = (...names: (keyof typeof documents)[]) => [
  ...new Set(names.flatMap((name) => patternsOf(documents[name]))),
]

test('each takes linear time', () => {
  const all = unique('partner', 'citizen-app', 'workbench', 'operator')
  expect(all.length).toBeGreaterThan(20)
  expectNone(all.filter((pattern) => checkSync(pattern, 'u').status !== 'safe'))
  // The check finds what it should.
  expect(checkSync('^(a+)+$', 'u').status).toBe('vulnerable')
})

/**
 * RE2 is the engine of Go, and lacks what those of other languages lack, such as look-ahead. The operator's document
 * has properties of Unicode that it does not know; only our terminal is made from it.
 */
test('those of partners and citizen apps work in other languages', () => {
  const isPortable = (pattern: string) => {
    try {
      return Boolean(RE2JS.compile(RE2JS.translateRegExp(pattern)))
    } catch {
      return false
    }
  }
  expectNone(unique('partner', 'citizen-app').filter((pattern) => !isPortable(pattern)))
  expect([isPortable('^(?!a)'), isPortable('^a$')]).toEqual([false, true])
})
