// Packs the built client into download/, beside the published versions and the list of all of them. The
// server offers this folder at /downloads/.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packClient } from './pack-client.ts'
import { describePackage, DOWNLOAD, readChanges, readReleases, RELEASES } from './releases.ts'

rmSync(DOWNLOAD, { recursive: true, force: true })
mkdirSync(DOWNLOAD)
const releases = readReleases()
for (const { file } of releases) copyFileSync(join(RELEASES, file), join(DOWNLOAD, file))
packClient(join(import.meta.dirname, 'dist'), DOWNLOAD)

const current = describePackage(DOWNLOAD)
const older = releases.filter(({ version }) => version !== current.version)
const changes = new Map(readChanges().map((section) => [section.version, section.changes]))
const versions = [current, ...older].map((release) => ({
  ...release,
  changes: changes.get(release.version) ?? [],
}))
const list = { name: '@tiwala/client', latest: current.version, versions }
writeFileSync(join(DOWNLOAD, 'index.json'), `${JSON.stringify(list, null, 2)}\n`)
// An address that never changes, for the newest version.
copyFileSync(join(DOWNLOAD, current.file), join(DOWNLOAD, 'tiwala-client.tgz'))
