// Which statements a change of the service concerns.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from './places.ts'

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** Where the branch left `main`; on `main`, the previous commit. */
export function baseCommit(): string {
  const [head, base] = [git('rev-parse', 'HEAD'), git('merge-base', 'HEAD', 'main')]
  return head === base ? git('rev-parse', 'HEAD~1') : base
}

/** The files of the service that are different: `sso/store.ts`. */
export const changedFiles = (base: string): Set<string> =>
  new Set(
    [...git('diff', '--name-only', base, '--', ...FOLDERS).split('\n'), ...newFiles()].map((path) =>
      path.replace('apps/server/src/', ''),
    ),
  )

/** Shorter texts are in many statements. */
const SHORTEST_PART = 8
const normalize = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

const MIGRATIONS = 'apps/server/migrations'
const FOLDERS = ['apps/server/src', MIGRATIONS]
const newFiles = () =>
  git('ls-files', '--others', '--exclude-standard', '--', ...FOLDERS)
    .split('\n')
    .filter(Boolean)

/** The migrations that are new or different: `migrations/0001_initial.sql`. */
export const changedMigrations = (base: string): string[] =>
  [...git('diff', '--name-only', base, '--', MIGRATIONS).split('\n'), ...newFiles()]
    .filter((path) => path.startsWith(MIGRATIONS))
    .map((path) => `migrations/${basename(path)}`)

/**
 * The parts of SQL in the changed lines of the service, and in the lines around a deleted one: what is
 * between the placeholders. A statement may consist of fragments of several files, so its text is
 * searched for them.
 */
export function changedParts(base: string): string[] {
  const changed = git('diff', '--unified=1', base, '--', ...FOLDERS)
    .split('\n')
    .filter((line) => /^[ +]/.test(line) && !line.startsWith('+++'))
    .map((line) => line.slice(1))
  return [...changed, ...newFiles().flatMap((path) => readFileSync(join(ROOT, path), 'utf8').split('\n'))]
    .flatMap((line) => line.split(/\$\{[^}]*\}|`/))
    .map(normalize)
    .filter((part) => part.length >= SHORTEST_PART)
}

export const isChanged = (statement: string, parts: string[]): boolean => {
  const text = normalize(statement)
  return parts.some((part) => text.includes(part))
}
