import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { handWritten, pathsOf, type SourceFile } from './files.ts'

const SERVER = 'apps/server/src/'
const code = handWritten(/\.ts$/)
const server = code.filter(({ path }) => path.startsWith(SERVER)).map((file) => ({ ...file, path: file.path.slice(SERVER.length) }))
const folderOf = (path: string) => (path.includes('/') ? path.split('/')[0]! : '')

/** What each room of the server may reach, beside itself. Files at the top (operation.ts, config.ts) are known to all. */
const MAY_IMPORT: Record<string, RegExp> = {
  authorizations: /^(audit|callbacks|citizens|partners|database|secrets)\/|^http\/failure\.ts$/,
  sso: /^(audit|callbacks|citizens|partners|database|secrets)\/|^http\/failure\.ts$/,
  diagnostics: /^(citizens|partners|sso|database|secrets)\/|^http\/failure\.ts$/,
  disclosures: /^(audit|citizens|partners|database|secrets)\/|^http\/failure\.ts$/,
  partners: /^(audit|callbacks|database|secrets)\/|^http\/failure\.ts$/,
  callbacks: /^(audit|database|secrets)\/|^http\/failure\.ts$/,
  citizens: /^(audit|database|secrets)\/|^http\/failure\.ts$/,
  keys: /^(audit|callbacks|citizens|database|secrets)\/|^http\/failure\.ts$/,
  audit: /^(database|secrets)\/|^http\/failure\.ts$/,
  database: /^$/,
  secrets: /^$/,
}

function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target]) => normalize(join(dirname(path), target!)))
}

describe('the rooms of the server', () => {
  test.each(Object.entries(MAY_IMPORT))('%s imports one way only', (room, allowed) => {
    const strays = server
      .filter(({ path }) => folderOf(path) === room)
      .flatMap((file) => importsOf(file).map((target) => ({ from: file.path, target })))
      .filter(({ target }) => folderOf(target) !== room && folderOf(target) !== '' && !allowed.test(target))
    expect(strays).toEqual([])
  })

  test('SQL lives in store.ts, database/ and testing.ts only', () => {
    const strays = server.filter(
      ({ path, text }) => /from 'kysely|\bsql`/.test(text) && !/(^|\/)store\.ts$|^database\/|^testing\.ts$/.test(path),
    )
    expect(pathsOf(strays)).toEqual([])
  })

  test('a table has one writer', () => {
    const writers = new Map<string, Set<string>>()
    for (const { path, text } of server.filter((file) => file.path.endsWith('store.ts'))) {
      for (const [, table] of text.matchAll(/(?:insert into|update|delete from) ([a-z_]+)(?= |$)/g)) {
        if (!['of', 'set', 'skip'].includes(table!)) writers.set(table!, (writers.get(table!) ?? new Set()).add(folderOf(path)))
      }
    }
    expect([...writers].filter(([, rooms]) => rooms.size > 1)).toEqual([])
    expect(writers.size).toBeGreaterThan(5)
  })

  test('main.ts and config.ts alone read the environment', () => {
    expect(pathsOf(server.filter(({ path, text }) => text.includes('process.env') && !['main.ts', 'config.ts'].includes(path)))).toEqual([])
  })

  test('a hash of a secret is compared in constant time: by no operator, and by no search in a list', () => {
    const compared = /[mM]acs?\b(\[\w*\]|\([^()]*\))?!? [!=]==? |[!=]==? [\w.]*[mM]acs?\b|[mM]acs?\.(includes|indexOf|lastIndexOf)\(/
    expect(compared.test('stored.mac === presented[0]') && compared.test('presented[0] !== row.mac')).toBe(true)
    expect(pathsOf(server.filter(({ text }) => compared.test(text)))).toEqual([])
  })

  test('start.ts alone listens', () => {
    expect(pathsOf(server.filter(({ path, text }) => /server\.listen\(/.test(text) && !['start.ts', 'testing.ts'].includes(path)))).toEqual(
      [],
    )
  })
})

describe('the house', () => {
  test('has no drawers', () => {
    expect(pathsOf(code).filter((path) => /\/(utils?|helpers?|common|shared|types)(\/|\.ts$)/.test(path))).toEqual([])
  })

  test('has short files: none over 250 lines, the median under 60', () => {
    const sizes = code.map(({ lines }) => lines).toSorted((a, b) => a - b)
    expect(pathsOf(code.filter(({ lines }) => lines > 250))).toEqual([])
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(60)
  })

  test('has no skipped, focused or empty test and no silenced checker', () => {
    const silenced = /\b(test|it|describe)\.(skip|only|todo)\b|@ts-ignore|@ts-nocheck|\bas any\b|(ox|es)lint-disable/
    expect(pathsOf(code.filter(({ path, text }) => silenced.test(text) && !path.endsWith('house-rules.test.ts')))).toEqual([])
  })
})
