import { expect, test } from 'vitest'
import { packagesIn } from '../packages.ts'
import { createSbom } from '../sbom.ts'

const LISTED = [
  { name: 'pg', version: '8.23.1', identifier: 'MIT' },
  { name: 'pg-types', version: '2.2.0', identifier: 'MIT' },
  { name: 'qr', version: '0.7.0', identifier: '(MIT OR Apache-2.0)' },
]
const PACKAGES = packagesIn(new Map([['licenses.json', Buffer.from(JSON.stringify(LISTED))]]))
const DATE = new Date('2026-11-25T00:00:00Z')
const ROOT = 'pkg:generic/tiwala@1.2.3'

type Sbom = {
  serialNumber: string
  metadata: { timestamp: string }
  components: { name: string; purl: string; supplier: { name: string } }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}
const sbom = (date = DATE) => JSON.parse(createSbom('1.2.3', date, PACKAGES)) as Sbom

test('the list names its author, its tool, its time and what it describes', () => {
  expect(sbom()).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: expect.stringMatching(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    metadata: {
      timestamp: DATE.toISOString(),
      authors: [{ name: 'Tiwala' }],
      supplier: { name: 'Tiwala' },
      tools: { components: [{ name: '@cyclonedx/cyclonedx-library', version: expect.any(String) }] },
      component: {
        'bom-ref': ROOT,
        purl: ROOT,
        name: 'tiwala',
        version: '1.2.3',
        supplier: { name: 'Tiwala' },
      },
    },
  })
})

test('a package has supplier, name, version, license, hash and purl', () => {
  expect(sbom().components.find(({ name }) => name === 'pg')).toMatchObject({
    'bom-ref': 'pkg:npm/pg@8.23.1',
    purl: 'pkg:npm/pg@8.23.1',
    version: '8.23.1',
    supplier: { name: 'Brian Carlson' },
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
  })
  expect(sbom().components.map(({ purl }) => purl)).toContainEqual(
    expect.stringMatching(/^pkg:npm\/%40expressive-code\/core@\d/),
  )
})

test('the dependencies: what each package uses of the others', () => {
  const { dependencies } = sbom()
  const dependsOn = (of: string) => dependencies.find(({ ref }) => ref === of)?.dependsOn ?? []
  expect(dependsOn('pkg:npm/pg@8.23.1')).toEqual(['pkg:npm/pg-types@2.2.0'])
  expect(dependsOn(ROOT)).toContain('pkg:npm/pg@8.23.1')
  expect(dependsOn(ROOT)).not.toContain('pkg:npm/pg-types@2.2.0')
})

test('the same packages give the same text, and another date gives another serial number', () => {
  expect(createSbom('1.2.3', DATE, PACKAGES.toReversed())).toBe(createSbom('1.2.3', DATE, PACKAGES))
  expect(sbom(new Date(0)).serialNumber).not.toBe(sbom().serialNumber)
})
