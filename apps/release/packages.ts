// The packages of other people whose code is in a release, with their licenses.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import satisfies from 'spdx-satisfies'
import lock from '../../package-lock.json' with { type: 'json' }
import { type Files, readFiles, ROOT } from './contents.ts'

/**
 * `license`: an SPDX expression. `path`: of the package in the lock file. `integrity`: of the package in the
 * registry, from there.
 */
export type Package = {
  name: string
  version: string
  license: string
  text: string
  path: string
  integrity: string
}

/** What Vite writes to `licenses.json` of each build. */
type Listed = { name: string; version: string; identifier?: string; text?: string }

/** Licenses that ask for no more than their text beside the program. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']
/** Their `package.json` has an outdated field (`licenses`). */
const DECLARED_ELSEWHERE: Record<string, string> = { busboy: 'MIT', streamsearch: 'MIT' }
/** Starlight copies these into the pages without Vite. */
const COPIED_INTO_PAGES = [
  '@expressive-code/core',
  '@expressive-code/plugin-frames',
  '@expressive-code/plugin-shiki',
  '@expressive-code/plugin-text-markers',
  'pagefind',
]

const locked = Object.entries(
  lock.packages as Record<string, { version?: string; integrity?: string; dev?: boolean }>,
)

/** All packages in the files of a release, by name. Throws if one has a license that is not allowed. */
export function packagesIn(files: Files): Package[] {
  const listed = [...files]
    .filter(([path]) => /(^|\/)licenses\.json$/.test(path))
    .flatMap(([, content]) => JSON.parse(content.toString()) as Listed[])
  const packages = [...listed, ...COPIED_INTO_PAGES.map(readPackage)].map(describe)
  const problems = packages.filter(({ license }) => !isAllowed(license))
  if (problems.length)
    throw new Error(
      problems
        .map(({ name, version, license }) => `${name} ${version} has the license ${license || '(none)'}. `)
        .join('') +
        'A release may contain only packages with a license that apps/release/packages.ts allows.',
    )
  const byId = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]))
  return [...byId].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

/** Whether the files of a release contain a package of the lock file, or the service needs it when it runs. */
export function isShippedIn(files: Files): (path: string) => boolean {
  const built = packagesIn(files).map(({ path }) => path)
  const shipped = new Set([...built, ...locked.flatMap(([path, { dev }]) => (dev ? [] : path))])
  return (path) => shipped.has(path)
}

/** `MIT OR GPL-2.0-only` offers a choice. What is no SPDX expression is refused. */
function isAllowed(license: string): boolean {
  try {
    return satisfies(license, ALLOWED)
  } catch {
    return false
  }
}

function describe({ name, version, identifier, text }: Listed): Package {
  const license = identifier ?? DECLARED_ELSEWHERE[name] ?? ''
  const [path, entry] =
    locked.find(([each, { version: own }]) => each.endsWith(`node_modules/${name}`) && own === version) ?? []
  if (!path || !entry?.integrity) throw new Error(`The lock file does not have ${name} ${version}.`)
  return { name, version, license, text: text ?? '', path, integrity: entry.integrity }
}

function readPackage(name: string): Listed {
  const folder = join(ROOT, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
    license: string
  }
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const texts = file ? readFiles(join(folder, file)).map(([, content]) => content.toString().trim()) : []
  return { name, version, identifier: license, text: texts.join('\n\n') }
}

const NO_TEXT = 'The package contains no text of its license.'

/** `THIRD-PARTY-LICENSES.txt`: the text of each license, which the licenses ask for. */
export const renderLicenses = (packages: Package[]): string =>
  packages
    .map(
      ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text.trim() || NO_TEXT}\n`,
    )
    .join(`\n${'-'.repeat(80)}\n\n`)
