// The rules for migrations (`UPGRADING.md`). While a release is installed, processes of the release before it
// serve requests over the new schema. So a migration adds; what it removes must be unused since an earlier
// release.
import { createHash } from 'node:crypto'

/** The text of a migration, by its name without `.sql`. */
export type Migrations = Record<string, string>
/** `migrations/released.json`: for each release, the SHA-256 of the migrations that it added. */
export type Released = Record<string, Record<string, string>>

/** A removal is allowed with this comment. */
const UNUSED_SINCE = /^-- unused since (\S+)$/gm
const COMMENTS_AND_BODIES = /--.*$|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$/gm

const OTHER_VERSION =
  'the release before uses it. First release a version that does not, then add the comment'
const NEW_COLUMN = 'add a new column, and remove the old one a release later'
const REWRITES = `the release before uses the old type, and every row may be rewritten: ${NEW_COLUMN}`

/** What breaks the earlier release, or holds a lock while it reads a whole table. */
const RULES: { pattern: RegExp; problem: string; isRemoval?: boolean }[] = [
  {
    pattern: /^drop (table|index|view|function|trigger|type|domain|schema|sequence)\b/,
    problem: `removes something: ${OTHER_VERSION}`,
    isRemoval: true,
  },
  {
    pattern: /^alter table .*\bdrop (?!constraint|default|not null|identity|expression)/,
    problem: `removes a column: ${OTHER_VERSION}`,
    isRemoval: true,
  },
  {
    pattern: /^alter .*\brename\b/,
    problem: `renames something that the release before uses: ${NEW_COLUMN}`,
  },
  { pattern: /\balter (column )?\S+ (set data )?type\b/, problem: `changes a type: ${REWRITES}` },
  {
    pattern: /\bset not null\b/,
    problem: 'the release before may store null: add a check constraint, or wait for a release',
  },
  {
    pattern: /\badd (?!constraint |check |.*\b(default|generated)\b).*\bnot null\b/,
    problem: 'the release before does not write the new column: give it a default',
  },
  {
    pattern: /\badd (constraint \S+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    problem: 'checks every row under a lock: add it as not valid',
  },
  {
    pattern: /\badd (constraint \S+ )?(unique|primary key|exclude)\b/,
    problem: 'builds an index under a lock: create the index first, then add it with `using index`',
  },
]

/** Each problem as `name: what is wrong, and what to do`. */
export function lintMigrations(migrations: Migrations, released: Released): string[] {
  const existing = new Set<string>()
  return Object.keys(migrations)
    .toSorted()
    .flatMap((name) => {
      const statements = statementsOf(migrations[name]!)
      const created = new Set(statements.flatMap((statement) => tableCreatedBy(statement) ?? []))
      const releases = [...migrations[name]!.matchAll(UNUSED_SINCE)].map(([, release]) => release!)
      const needs = findNeeded(name, released)
      const isSaid = needs === undefined || migrations[name]!.includes(`-- needs ${needs}\n`)
      const later = releases.filter((release) => !isEarlier(released, release, name))
      const isUnused = releases.length > 0 && later.length === 0
      const problems = statements.flatMap((statement) =>
        problemsOf(statement, created, existing, isUnused).map((problem) => `${problem} (${statement})`),
      )
      for (const table of created) existing.add(table)
      return [
        ...(isSaid ? [] : [`does not say which versions can run on it: add "-- needs ${needs}"`]),
        ...later.map((release) => `"unused since ${release}" names no earlier release with a migration`),
        ...problems,
      ].map((problem) => `${name}: ${problem}`)
    })
}

/** The newest migration of the releases before this one: the version before has it. */
function findNeeded(name: string, released: Released): string | undefined {
  const releases = Object.values(released).map((checksums) => Object.keys(checksums))
  const own = releases.findIndex((names) => names.includes(name))
  return releases
    .slice(0, own < 0 ? releases.length : own)
    .flat()
    .toSorted()
    .at(-1)
}

/**
 * A release without this migration, but with another one: by that one, the server tells this release from the
 * one before it.
 */
function isEarlier(released: Released, release: string, name: string): boolean {
  const names = Object.hasOwn(released, release) ? Object.keys(released[release]!) : []
  return names.length > 0 && !names.includes(name)
}

/**
 * Lower case, on one line, without comments and function bodies. Each action of an `alter table` becomes a
 * statement.
 */
const statementsOf = (text: string) =>
  text
    .replaceAll(COMMENTS_AND_BODIES, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean)
    .flatMap((statement) => {
      const [, table, actions] = /^(alter table (?:if exists )?(?:only )?\S+) (.*)$/.exec(statement) ?? []
      return actions?.split(BETWEEN_ACTIONS).map((action) => `${table} ${action}`) ?? [statement]
    })
/** A comma that is not inside of parentheses. */
const BETWEEN_ACTIONS = /, ?(?![^(]*\))/

const tableCreatedBy = (statement: string) =>
  /^create (?:unlogged )?table (?:if not exists )?(?:public\.)?([a-z_0-9]+)/.exec(statement)?.[1]

function problemsOf(
  statement: string,
  created: Set<string>,
  existing: Set<string>,
  isUnused: boolean,
): string[] {
  const [, changed] = /^alter table (?:if exists )?(?:only )?(?:public\.)?([a-z_0-9]+)/.exec(statement) ?? []
  if (changed && created.has(changed)) return []
  const [, indexed] =
    /^create (?:unique )?index .*?\bon (?:only )?(?:public\.)?([a-z_0-9]+)/.exec(statement) ?? []
  if (indexed && existing.has(indexed) && !/\bindex if not exists\b/.test(statement)) return [INDEX_PROBLEM]
  return RULES.filter(({ pattern, isRemoval }) => pattern.test(statement) && !(isRemoval && isUnused)).map(
    ({ problem }) => problem,
  )
}

const INDEX_PROBLEM =
  'builds an index under a lock: write `create index if not exists`, and in UPGRADING.md the ' +
  '`create index concurrently` that the operator runs before'

/** Released migrations that were edited or removed. */
export function findEdited(migrations: Migrations, released: Released): string[] {
  return Object.entries(released).flatMap(([release, checksums]) =>
    Object.entries(checksums)
      .filter(([name, checksum]) => checksumOf(migrations[name]) !== checksum)
      .map(
        ([name]) =>
          `${name} is part of release ${release}: restore its text, and write a new migration instead`,
      ),
  )
}

/** What `released.json` lacks for this version: nothing before 1.0, and nothing in a pre-release. */
export function findUnlisted(version: string, migrations: Migrations, released: Released): Released {
  if (version.startsWith('0.') || version in released) return {}
  const listed = new Set(Object.values(released).flatMap((checksums) => Object.keys(checksums)))
  const added = Object.keys(migrations).filter((name) => !listed.has(name))
  return { [version]: Object.fromEntries(added.map((name) => [name, checksumOf(migrations[name])])) }
}

const checksumOf = (text = '') => createHash('sha256').update(text).digest('hex')
