import { expect, test } from 'vitest'
import { packagesIn, renderLicenses } from '../packages.ts'

const packagesOf = (...listed: object[]) =>
  packagesIn(new Map([['sandbox/licenses.json', Buffer.from(JSON.stringify(listed))]]))
const PG = { name: 'pg', version: '8.23.1', identifier: 'MIT', text: 'The text.' }
const QR = { name: 'qr', version: '0.7.0', identifier: '(MIT OR Apache-2.0)', text: '' }

test.each([
  'GPL-3.0-only',
  'MIT AND GPL-3.0-only',
  'GPL-3.0-only AND (MIT OR ISC)',
  '(MIT OR ISC) AND GPL-3.0-only',
  '(MIT OR ISC) AND (GPL-3.0-only)',
  'Free for all',
  undefined,
])('refuses the license %s', (identifier) => {
  expect(() => packagesOf({ ...PG, identifier })).toThrow(
    `pg 8.23.1 has the license ${identifier ?? '(none)'}. A release may contain only`,
  )
})

test('accepts a choice that contains an allowed license', () => {
  expect(packagesOf({ ...PG, identifier: '(GPL-3.0-only OR MIT)' })).toContainEqual(
    expect.objectContaining({ name: 'pg', license: '(GPL-3.0-only OR MIT)' }),
  )
})

test('refuses a package that is not in the lock file', () => {
  expect(() => packagesOf({ ...PG, version: '0.0.1' })).toThrow('The lock file does not have pg 0.0.1.')
})

test('the list of licenses holds the text of each', () => {
  const text = renderLicenses(packagesOf(PG, QR))
  expect(text).toContain('pg 8.23.1 (MIT)\n\nThe text.\n')
  expect(text).toContain('qr 0.7.0 ((MIT OR Apache-2.0))\n\nThe package contains no text of its license.\n')
})
