// The versions of the client: what download/ lists, and what releases/ keeps of older versions.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import source from './package.json' with { type: 'json' }

const ROOT = import.meta.dirname
/** What the packed `package.json` says. `contractVersion` tells partners from which contract it was generated. */
export const manifest = { ...source, contractVersion: partner.info.version }
export const RELEASES = join(ROOT, 'releases')
export const DOWNLOAD = join(ROOT, 'download')
export const SIGNATURE = join(RELEASES, 'SHA256SUMS.sig')

export type Release = {
  version: string
  /** The version of the contract from which this version was generated. */
  contract: string
  date: string
  file: string
  /** In bytes. */
  size: number
  sha256: string
}

/** The versions that were published. A published version never changes. Newest first. */
export const readReleases = () =>
  JSON.parse(readFileSync(join(RELEASES, 'releases.json'), 'utf8')) as Release[]

/** What `sha256sum --check` reads. */
export const sumsOf = (releases: Release[]) =>
  releases.map(({ sha256, file }) => `${sha256}  ${file}\n`).join('')

/** The version of package.json, packed in a folder. */
export function describePackage(folder: string): Release {
  const { version, contractVersion } = manifest
  const file = `tiwala-client-${version}.tgz`
  const bytes = readFileSync(join(folder, file))
  const change = readChanges().find((each) => each.version === version)
  if (!change) throw new Error(`CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)".`)
  return {
    version,
    contract: contractVersion,
    date: change.date,
    file,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

/** The sections of CHANGELOG.md. Each item of a list is one change. */
export function readChanges(): { version: string; date: string; changes: string[] }[] {
  const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, version = '', date = ''] = /^(\S+) \((\d{4}-\d\d-\d\d)\)\n/.exec(section) ?? []
      const items = section.split(/^- /m).slice(1)
      return { version, date, changes: items.map((item) => item.trim().replaceAll(/\s+/g, ' ')) }
    })
}
