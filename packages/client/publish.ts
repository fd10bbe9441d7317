// `npm run client:publish`: keeps the built version in releases/, so that later builds still offer it.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describePackage, DOWNLOAD, readReleases, RELEASES, SIGNATURE } from './releases.ts'

const current = describePackage(DOWNLOAD)
const releases = readReleases()
if (releases.some(({ version }) => version === current.version)) {
  console.error(
    `Version ${current.version} is already published, and a published version never changes. ` +
      'Set a new version in package.json and in CHANGELOG.md.',
  )
  process.exitCode = 1
} else {
  copyFileSync(join(DOWNLOAD, current.file), join(RELEASES, current.file))
  const text = JSON.stringify([current, ...releases], null, 2)
  writeFileSync(join(RELEASES, 'releases.json'), `${text}\n`)
  // It is of the sums without this version.
  rmSync(SIGNATURE, { force: true })
  console.log(
    `Published ${current.version}. Sign it with npm run client:sign -- <key>, and commit ` +
      'packages/client/releases/ with the change.',
  )
}
