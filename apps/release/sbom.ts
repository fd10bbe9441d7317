import type { Package } from './packages.ts'

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * The software bill of materials, in CycloneDX 1.6. It has no serial number and no time, so that the same
 * release always has the same bytes.
 */
export function createSbom(version: string, packages: Package[]) {
  const root = `pkg:generic/tiwala@${version}`
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: 'tiwala',
        version,
        purl: root,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: packages.map(describe),
    dependencies: [{ ref: root, dependsOn: packages.map(({ name, version: of }) => purlOf(name, of)) }],
  }
}

function describe({ name, version, license, integrity }: Package) {
  const purl = purlOf(name, version)
  const [scope, nameInScope] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const [algorithm, hash] = integrity.split('-')
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope && { group: scope }),
    name: nameInScope,
    version,
    licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    hashes: [
      {
        alg: algorithm!.replace('sha', 'SHA-'),
        content: Buffer.from(hash!, 'base64').toString('hex'),
      },
    ],
    purl,
  }
}
