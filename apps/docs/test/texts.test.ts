import citizenApp from '@tiwala/contract/citizen-app.json'
import catalogue from '@tiwala/contract/errors.json'
import operator from '@tiwala/contract/operator.json'
import partner from '@tiwala/contract/partner.json'
import workbench from '@tiwala/contract/workbench.json'
// The numbers of settings in the texts of the contract.
import { readConfig } from '@tiwala/server/config'
import { patternOf, SETTING_PHRASES } from '@tiwala/server/setting-numbers'
import { expect, test } from 'vitest'
import { forSite } from '../src/reference/texts.ts'

const SHOWN = [partner, citizenApp, workbench, operator, catalogue]

/** Times that no setting decides. The last two are examples. */
const FIXED = new Set([
  '24 hours',
  '5 minutes',
  '15 seconds',
  '29 days',
  '30 days',
  '31 days',
  '5 seconds',
  '12 s',
  '41 s',
])

const TEXTS = new Set(['description', 'summary', 'meaning', 'action', 'citizen', 'example', 'source'])

function textsOf(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return TEXTS.has(name) ? [value] : []
  if (typeof value !== 'object' || !value) return []
  return Object.entries(value).flatMap(([key, each]) => textsOf(each, key))
}

test('each phrase is in a text, and holds the default of its setting', () => {
  const { numbers } = readConfig({})
  const texts = textsOf(SHOWN)
  for (const [marker, phrase] of SETTING_PHRASES) {
    const found = texts.flatMap((text) => text.match(patternOf(phrase)) ?? [])
    const value = numbers[marker.replace(/^[A-Z]+_/, 'TIWALA_')]
    expect([phrase, [...new Set(found)]]).toEqual([phrase, [value?.toLocaleString('en')]])
  }
})

test('no text or sample has a length of time that does not come from a setting', () => {
  const numbers =
    /(?<![\w_.-])\d[\d,]*\s+(?:s|ms|seconds?|minutes?|hours?|days?)\b|wait=\d+|waitSeconds: \d+/g
  const left = textsOf(forSite(SHOWN)).flatMap((text) =>
    [...text.matchAll(numbers)].map(([found]) => found.replace('\n', ' ')),
  )
  expect(left.filter((found) => !FIXED.has(found))).toEqual([])
})

test('a live site does not mention the sandbox', () => {
  const live = JSON.stringify(forSite(SHOWN, 'live'))
  expect(live.match(/.{0,60}sandbox.{0,40}/gi)).toBeNull()
  expect(JSON.stringify(forSite(SHOWN, 'sandbox'))).toMatch(/sandbox/)
})
