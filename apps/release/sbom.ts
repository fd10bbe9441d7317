// The software bill of materials, in CycloneDX 1.6, with the minimum elements of the NTIA: for each package its
// supplier, name, version, identifier and dependencies, and for the list its author and time.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import library from '@cyclonedx/cyclonedx-library/package.json' with { type: 'json' }
import lock from '../../package-lock.json' with { type: 'json' }
import { ROOT } from './contents.ts'
import type { Package } from './packages.ts'

const KINDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const
type Locked = { version?: string } & { [Kind in (typeof KINDS)[number]]?: object }
const locked = lock.packages as Record<string, Locked>

type NodePackageJson = Contrib.FromNodePackageJson.Types.NodePackageJson

const { ComponentBuilder } = Contrib.FromNodePackageJson.Builders
// `packages.ts` refuses a license that is no expression.
const licenses = new Contrib.License.Factories.LicenseFactory(() => {})
const references = new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory()
const builder = new ComponentBuilder(references, licenses)
const supplierNamed = (name: string) => new Models.OrganizationalEntity({ name })

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** The same packages and date always give the same text, with the same serial number. */
export function createSbom(version: string, date: Date, packages: Package[]): string {
  const components = new Map(packages.map((each) => [purlOf(each.name, each.version), describe(each)]))
  const used = new Set<Models.Component>()
  /** Adds what a package or workspace declares, if the release contains it. */
  const addDependencies = (component: Models.Component, path: string) => {
    for (const dependency of dependenciesOf(path).map((purl) => components.get(purl)))
      if (dependency) component.dependencies.add(used.add(dependency) && dependency.bomRef)
  }
  for (const each of packages) addDependencies(components.get(purlOf(each.name, each.version))!, each.path)
  const { ComponentType } = Enums
  const root = new Models.Component(ComponentType.Application, 'tiwala', { version })
  root.purl = root.bomRef.value = `pkg:generic/tiwala@${version}`
  root.supplier = supplierNamed('Tiwala')
  root.licenses.add(licenses.makeFromString('MIT'))
  for (const path of Object.keys(locked).filter((each) => /^(apps|packages)\/[^/]+$/.test(each)))
    addDependencies(root, path)
  // Build tools add these to the pages.
  for (const component of components.values())
    if (!used.has(component)) root.dependencies.add(component.bomRef)
  const { name, version: libraryVersion } = library
  const tool = new Models.Component(ComponentType.Library, name, { version: libraryVersion })
  const bom = new Models.Bom({
    metadata: new Models.Metadata({
      timestamp: date,
      component: root,
      supplier: root.supplier,
      authors: new Models.OrganizationalContactRepository([
        new Models.OrganizationalContact({ name: 'Tiwala' }),
      ]),
      tools: new Models.Tools({ components: new Models.ComponentRepository([tool]) }),
    }),
    components: new Models.ComponentRepository(components.values()),
  })
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  const serialize = () => serializer.serialize(bom, { sortLists: true, space: 2 })
  const hash = createHash('sha256').update(serialize()).digest('hex')
  bom.serialNumber = `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5')}`
  return `${serialize()}\n`
}

function describe({ name, version, license, path, integrity }: Package): Models.Component {
  const manifest = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as NodePackageJson
  const component = builder.makeComponent({ ...manifest, license, licenses: [] })!
  component.purl = component.bomRef.value = purlOf(name, version)
  const { repository } = manifest
  const url = typeof repository === 'string' ? repository : (repository?.url ?? '')
  // Many packages name no author. The owner of the repository supplies them.
  const author = component.author?.replace(/ *[<(].*/, '')
  component.supplier = supplierNamed(author ?? /([^/:]+)\/[^/]+$/.exec(url)?.[1] ?? name)
  const [algorithm = '', hash = ''] = integrity.split('-')
  component.hashes.set(
    algorithm.replace('sha', 'SHA-') as Enums.HashAlgorithm,
    Buffer.from(hash, 'base64').toString('hex'),
  )
  return component
}

/** The purls of what a package or workspace declares, as Node finds it in the folders of the lock file. */
function dependenciesOf(path: string): string[] {
  return KINDS.flatMap((kind) => Object.keys(locked[path]![kind] ?? {})).flatMap((name) => {
    for (let folder = path; ; folder = dirname(folder)) {
      const found = locked[join(folder, 'node_modules', name)]
      if (found) return purlOf(name, found.version ?? '')
      if (folder === '.') return []
    }
  })
}
