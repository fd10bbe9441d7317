// `npm run build`: builds dist/ and packs download/, which has this version, the published ones and their list.
// The server offers download/ at /downloads/. Several builds may run at once, as when two examples start: each
// writes to folders of its own, and then replaces file by file, so that a reader never misses one.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build } from 'tsdown'
import { packClient } from './pack-client.ts'
import {
  describePackage,
  DOWNLOAD,
  readChanges,
  readReleases,
  RELEASES,
  SIGNATURE,
  sumsOf,
} from './releases.ts'

const DIST = join(import.meta.dirname, 'dist')

// Beside dist/, because a source map has relative paths.
const [dist, download] = [mkdtempSync(`${DIST}-`), mkdtempSync(`${DIST}-`)]
try {
  await build({ outDir: dist, logLevel: 'warn' })
  fillDownload()
  moveFiles(dist, DIST)
  moveFiles(download, DOWNLOAD)
} finally {
  for (const folder of [dist, download]) rmSync(folder, { recursive: true })
}

function fillDownload(): void {
  const releases = readReleases()
  for (const { file } of releases) copyFileSync(join(RELEASES, file), join(download, file))
  packClient(dist, download)
  const current = describePackage(download)
  const older = releases.filter(({ version }) => version !== current.version)
  const changes = new Map(readChanges().map((section) => [section.version, section.changes]))
  const versions = [current, ...older].map((release) => ({
    ...release,
    changes: changes.get(release.version) ?? [],
  }))
  const list = { name: '@tiwala/client', latest: current.version, versions }
  writeFileSync(join(download, 'index.json'), `${JSON.stringify(list, null, 2)}\n`)
  writeFileSync(join(download, 'SHA256SUMS'), sumsOf(releases))
  if (existsSync(SIGNATURE)) copyFileSync(SIGNATURE, join(download, 'SHA256SUMS.sig'))
  // An address that never changes, for the newest version.
  copyFileSync(join(download, current.file), join(download, 'tiwala-client.tgz'))
}

function moveFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  const names = readdirSync(from)
  for (const name of names) renameSync(join(from, name), join(to, name))
  for (const name of readdirSync(to)) if (!names.includes(name)) rmSync(join(to, name), { force: true })
}
