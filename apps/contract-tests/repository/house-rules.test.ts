import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectNone } from './expect-none.ts'
import { handWritten, pathsOf, type SourceFile } from './files.ts'

const SERVER = 'apps/server/src/'
const code = handWritten(/\.tsx?$/)
const server = code
  .filter(({ path }) => path.startsWith(SERVER))
  .map((file) => ({ ...file, path: file.path.slice(SERVER.length) }))
const folderOf = (path: string) => (path.includes('/') ? path.split('/')[0]! : '')

/**
 * The layer of each folder of the server, read from the table in ARCHITECTURE.md, which states the rules. The
 * files in the root of `src` (operation.ts, failure.ts, config.ts and so on) have no layer.
 */
const [architecture] = handWritten(/^apps\/server\/ARCHITECTURE\.md$/)
const LAYERS = new Map(
  [...architecture!.text.matchAll(/^\| (\d+) +\| `([\w-]+)`/gm)].map(([, layer, folder]) => [
    folder!,
    Number(layer),
  ]),
)
const ROOT_FILES = new Set([
  'app.ts',
  'config.ts',
  'describe-error.ts',
  'failure.ts',
  'main.ts',
  'operation.ts',
  'operations.ts',
  'program.ts',
  'settings.ts',
  'start.ts',
  'versions.ts',
])
const layerOf = (folder: string) => LAYERS.get(folder)!

function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target]) => normalize(join(dirname(path), target!)))
}

/** The import cycles of a set of files, each as the list of its files. */
function findCycles(files: readonly SourceFile[]): string[][] {
  const targets = new Map(files.map((file) => [file.path, importsOf(file)]))
  const [done, cycles] = [new Set<string>(), [] as string[][]]
  function visit(path: string, trail: string[]): void {
    if (trail.includes(path)) return void cycles.push(trail.slice(trail.indexOf(path)))
    if (done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  return cycles
}

describe('the folders of the server', () => {
  test('each folder has a layer, and the root holds only the files that every folder may know', () => {
    const folders = new Set(server.map(({ path }) => folderOf(path)).filter(Boolean))
    expect([...LAYERS.keys()].toSorted()).toEqual([...folders].toSorted())
    expectNone(server.map(({ path }) => path).filter((path) => !path.includes('/') && !ROOT_FILES.has(path)))
  })

  test('imports point to lower layers only', () => {
    const wrong = server.flatMap((file) =>
      importsOf(file)
        .map((target) => ({ from: file.path, target }))
        .filter(
          ({ from, target }) => folderOf(from) && folderOf(target) && folderOf(from) !== folderOf(target),
        )
        .filter(({ from, target }) => layerOf(folderOf(target)) >= layerOf(folderOf(from))),
    )
    expectNone(wrong)
  })

  test('no file imports itself through others, not even for a type', () => {
    const [a, b] = ["import type { B } from './b.ts'", "import { A } from './a.ts'"]
    const ring = [
      { path: 'a.ts', text: a, lines: 1 },
      { path: 'b.ts', text: b, lines: 1 },
    ]
    expect(findCycles(ring)).toEqual([['a.ts', 'b.ts']])
    expectNone(findCycles(code.map((file) => file)))
  })

  test('SQL is in *.sql.ts files, database/ and testing/ only', () => {
    const strays = server.filter(
      ({ path, text }) => /from 'kysely|\bsql`/.test(text) && !/\.sql\.ts$|^database\/|^testing\//.test(path),
    )
    expectNone(pathsOf(strays))
  })

  test('a table has one writer, except that the sandbox makes its rows older and deletes them', () => {
    const statements = server.filter(({ path }) => path.endsWith('.sql.ts'))
    const named = statements.filter(({ text }) => /(update|delete from) \$\{sql\.table\(/.test(text))
    expect(pathsOf(named)).toEqual(['sandbox/owned-rows.sql.ts'])
    const writers = new Map<string, Set<string>>()
    for (const { path, text } of server.filter((file) => file.path.endsWith('.sql.ts'))) {
      if (path === 'sandbox/owned-rows.sql.ts') continue
      for (const [, table] of text.matchAll(
        /(?:(?:insert into|update|delete from) |deleteOldRows\(db, ')([a-z_]+)(?=[ ']|$)/g,
      )) {
        if (!['of', 'set', 'skip'].includes(table!))
          writers.set(table!, (writers.get(table!) ?? new Set()).add(folderOf(path)))
      }
    }
    expectNone([...writers].filter(([, rooms]) => rooms.size > 1))
    expect(writers.size).toBeGreaterThan(5)
  })

  test('no statement outside of sandbox/ knows of sandboxes', () => {
    const statements = server.filter(({ path }) => path.endsWith('.sql.ts') && folderOf(path) !== 'sandbox')
    expect(pathsOf(statements.filter(({ text }) => /sandbox/i.test(text)))).toEqual([])
    expect(statements.length).toBeGreaterThan(20)
  })

  test('main.ts and config.ts alone read the environment', () => {
    expectNone(
      pathsOf(
        server.filter(
          ({ path, text }) => text.includes('process.env') && !['main.ts', 'config.ts'].includes(path),
        ),
      ),
    )
  })

  test('a hash of a secret is compared in constant time: by no operator, and by no search in a list', () => {
    const compared = [
      /[mM]acs?\b(\[\w*\]|\([^()]*\))?!? [!=]==? /,
      /[!=]==? [\w.]*[mM]acs?\b/,
      /[mM]acs?\.(includes|indexOf|lastIndexOf)\(/,
    ]
    const isCompared = (text: string) => compared.some((pattern) => pattern.test(text))
    const wrong = ['stored.hmac === presented[0]', 'presented[0] !== row.hmac', 'hmacs.includes(presented)']
    expectNone(wrong.filter((text) => !isCompared(text)))
    expectNone(pathsOf(server.filter(({ text }) => isCompared(text))))
  })

  test('only http/process/listen.ts listens for requests', () => {
    expect(
      pathsOf(
        server.filter(
          ({ path, text }) =>
            /server\.listen\(/.test(text) &&
            !['http/process/listen.ts', 'testing/start-service.ts'].includes(path),
        ),
      ),
    ).toEqual([])
  })
})

describe('the house', () => {
  test('has no drawers', () => {
    expectNone(
      pathsOf(code).filter((path) => /\/(utils?|helpers?|common|shared|types|store)(\/|\.ts$)/.test(path)),
    )
  })

  test('has no skipped, focused or empty test and no silenced checker', () => {
    const silenced =
      /\b(test|it|describe)\.(skip|only|todo)\b|@ts-ignore|@ts-nocheck|\bas any\b|(ox|es)lint-disable/
    expectNone(
      pathsOf(code.filter(({ path, text }) => silenced.test(text) && !path.endsWith('house-rules.test.ts'))),
    )
  })
})
