// What partners install: its version, its published versions and its types.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { DOWNLOAD, manifest, readChanges, readReleases, RELEASES } from '../../../packages/client/releases.ts'
import { ROOT } from './files.ts'

const releases = readReleases()

describe('the versions of the client', () => {
  test('package.json names the version of the contract, and CHANGELOG.md the version of the client', () => {
    expect(manifest.contractVersion, 'contractVersion in packages/client/package.json').toBe(
      partner.info.version,
    )
    expect(readChanges()[0]?.version, 'The newest heading in CHANGELOG.md').toBe(manifest.version)
  })

  test('each published version has its section in CHANGELOG.md, and the file is unchanged', () => {
    expect(releases.length).toBeGreaterThan(0)
    for (const { version, date, file, size, sha256 } of releases) {
      const bytes = readFileSync(join(RELEASES, file))
      expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256])
      expect(readChanges().find((section) => section.version === version)?.date).toBe(date)
    }
  })

  test('a published version never changes: another build of it has the same content', () => {
    const published = releases.find(({ version }) => version === manifest.version)
    const contentOf = (folder: string, file: string) => gunzipSync(readFileSync(join(folder, file)))
    const isSame =
      !published || contentOf(RELEASES, published.file).equals(contentOf(DOWNLOAD, published.file))
    expect(isSame, 'Set a new version in packages/client/package.json and CHANGELOG.md').toBe(true)
  })
})

test('the types that partners see are those of client.api.txt', async () => {
  const types = readFileSync(join(ROOT, 'packages/client/dist/index.d.ts'), 'utf8')
  // The types of the contract have a comparison of their own: `npm run spec:diff`.
  const own = types
    .split(/^(?=\/\/#region )/m)
    .filter((region) => !region.startsWith('//#region ../contract/src/generated/'))
    .join('')
    .replaceAll(/^ *\/\*\*.*?\*\/\n/gms, '')
  // If the change is wanted, run this test with `-u`, and describe the change in CHANGELOG.md of the client.
  await expect(own).toMatchFileSnapshot(join(ROOT, 'packages/client/client.api.txt'))
})
