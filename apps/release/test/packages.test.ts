import { expect, test } from 'vitest'
import { packagesIn, renderLicenses } from '../packages.ts'
import { createSbom } from '../sbom.ts'

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
  undefined,
])('refuses the license %s', (identifier) => {
  expect(() => packagesOf({ ...PG, identifier })).toThrow(
    `pg 8.23.1 has the license ${identifier ?? '(none)'}. A release may contain only`,
  )
})

test('accepts a choice that contains an allowed license', () => {
  expect(packagesOf({ ...PG, identifier: '(GPL-3.0-only OR MIT)' })).toContainEqual(
    expect.objectContaining({ name: 'pg', license: 'GPL-3.0-only OR MIT' }),
  )
})

test('refuses a package that is not in the lock file', () => {
  expect(() => packagesOf({ ...PG, version: '0.0.1' })).toThrow('The lock file does not have pg 0.0.1.')
})

test('the bill of materials names version, license, purl and hash of each package once', () => {
  const packages = packagesOf(PG, QR, PG)
  const { components, dependencies } = createSbom('1.2.3', packages)
  expect(components.filter(({ name }) => name === 'pg')).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/pg@8.23.1',
      name: 'pg',
      version: '8.23.1',
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      purl: 'pkg:npm/pg@8.23.1',
    },
  ])
  expect(components.find(({ name }) => name === 'qr')!.licenses).toEqual([
    { expression: 'MIT OR Apache-2.0' },
  ])
  const core = packages.find(({ name }) => name === '@expressive-code/core')!
  expect(components.map(({ purl }) => purl)).toContain(`pkg:npm/%40expressive-code/core@${core.version}`)
  expect(dependencies).toEqual([
    { ref: 'pkg:generic/tiwala@1.2.3', dependsOn: components.map(({ purl }) => purl) },
  ])
})

test('the list of licenses holds the text of each', () => {
  const text = renderLicenses(packagesOf(PG, QR))
  expect(text).toContain('pg 8.23.1 (MIT)\n\nThe text.\n')
  expect(text).toContain('qr 0.7.0 (MIT OR Apache-2.0)\n\nThe package contains no text of its license.\n')
})
