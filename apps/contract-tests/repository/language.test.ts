// The words of the repository: LANGUAGE rules that a machine can check.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectNone } from './expect-none.ts'
import { handWritten, ROOT, type SourceFile } from './files.ts'
import { REFUSED_WORDS } from './refused-words.ts'

/** Files that name refused words on purpose. */
const WITH_REFUSED_WORDS =
  /(language\.test|coverage-reporter\.slow\.test|refused-words)\.ts$|spec-mistakes\/texts\.yaml$/
const texts = handWritten(/\.(tsx?|m?js|astro|mdx?|ya?ml|sql|css|html)$/).filter(
  ({ path }) => !WITH_REFUSED_WORDS.test(path),
)

/** Documents that are not in the repository. */
const OUTSIDE_CITATION = /\b(DESIGN|TOOLS|LANGUAGE|STYLE) section|\bDESIGN\b|\bseed section/

/** Paths of Markdown files and tests; in Markdown, also of source files (not `$ref: ...` and `file:13`). */
const PATHS = /(?<![\w/:.-])((?:[\w.-]+\/)*[\w.-]+\.(?:md|test\.ts))\b/g
const PATHS_IN_MARKDOWN = /(?<![\w/:.-]|\$ref: )((?:[\w.-]+\/)*[\w.-]+\.(?:md|ts|sql|ya?ml))\b(?![:#])/g

const linesWith = (pattern: RegExp, files: readonly SourceFile[]) =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  )

describe('the language of the repository', () => {
  test('no hand-written file has a refused word', () => {
    expect('what nobody asks for').toMatch(REFUSED_WORDS)
    expectNone(linesWith(REFUSED_WORDS, texts))
  })

  test('no file cites a document that is not in the repository', () => {
    expectNone(linesWith(OUTSIDE_CITATION, texts))
  })

  test('every Markdown file, test, and source file in Markdown that a text names exists', () => {
    const named = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/\.mdx?$/.test(path) ? PATHS_IN_MARKDOWN : PATHS)].map(([, target]) => ({
        path,
        target: target!,
      })),
    )
    // `*.sql.ts` is a kind of file.
    const paths = named.filter(({ target }) => !target.startsWith('.'))
    const isThere = ({ path, target }: { path: string; target: string }) =>
      [
        ROOT,
        join(ROOT, dirname(path)),
        join(ROOT, 'apps/server'),
        join(ROOT, 'apps/server/src'),
        join(ROOT, 'apps/contract-tests'),
      ].some((folder) => existsSync(join(folder, target))) ||
      texts.some((file) => file.path.endsWith(`/${target}`))
    expect(named.length).toBeGreaterThan(20)
    expectNone(paths.filter((each) => !isThere(each)))
  })

  test('every commit subject is `area: imperative ...` and has at most 72 characters', () => {
    const log = execFileSync('git', ['log', '--no-merges', '--format=%s', '--since=2026-11-22T22:20:00Z'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const subjects = log.split('\n').filter(Boolean)
    expectNone(subjects.filter((subject) => subject.length > 72 || !/^[a-z][\w, /-]*: [a-z]/.test(subject)))
  })
})
