// The files of a release: what the service reads when it runs, and what its operator reads.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { RELEASED_SITES } from '@tiwala/docs/build-site'
import { FOLDERS } from '@tiwala/server/program'
import manifest from '../../package.json' with { type: 'json' }

/** The content of each file by its path, with `/` between folders. */
export type Files = Map<string, Buffer>

export const ROOT = join(import.meta.dirname, '../..')

/** Markdown files link to each other, so a release has all of them. */
const MARKDOWN_FILES = readdirSync(join(ROOT, 'apps/server')).filter((name) => name.endsWith('.md'))
const GENERATED = 'packages/contract/src/generated'
/** The documents that the service serves, with the example addresses. */
const DOCUMENTS = readdirSync(join(ROOT, GENERATED)).filter((name) => name.endsWith('.json'))
const { docs, ...folders } = FOLDERS
const PLACES: Record<string, string> = {
  ...folders,
  ...Object.fromEntries(RELEASED_SITES.map((name) => [`docs/${name}`, `${docs}/${name}`])),
  ...Object.fromEntries(DOCUMENTS.map((name) => [`openapi/${name}`, `${GENERATED}/${name}`])),
  ...Object.fromEntries(MARKDOWN_FILES.map((name) => [name, `apps/server/${name}`])),
  LICENSE: 'LICENSE',
  observability: 'apps/server/observability',
  deploy: 'apps/server/deploy',
}

/** All but the programs and the lists of third-party packages. */
export function contents(): Files {
  const files: Files = new Map()
  for (const [name, place] of Object.entries(PLACES))
    for (const [rest, content] of readFiles(join(ROOT, place))) files.set(`${name}${rest}`, content)
  files.set('package.json', Buffer.from(`${JSON.stringify(createManifest(), null, 2)}\n`))
  return files
}

/** `type` says that the programs are ES modules. There is nothing to install. */
function createManifest() {
  const { name, version, description, license, type } = manifest
  return { name, version, private: true, description, license, type, engines: { node: '>=24' } }
}

/** Editors and systems write these beside others: `.a.sql.swp`, `a.sql~`, `#a.sql#`, `.DS_Store`. */
const LEFT_BY_EDITORS = /^[.#]|~$/

/** The files below a path, each by the rest of its path; a file itself by the empty path. */
export function readFiles(path: string): [rest: string, content: Buffer][] {
  if (statSync(path).isFile()) return [['', readFileSync(path)]]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !LEFT_BY_EDITORS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(path.length).replaceAll('\\', '/'), readFileSync(file)])
}
