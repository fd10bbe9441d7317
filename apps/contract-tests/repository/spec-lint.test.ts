// The linter of the spec finds the mistakes of spec-mistakes/, and says what to write instead. Many mistakes
// are seeded in one copy of the spec, because linting is slow.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lintSpec, RULES } from '@tiwala/contract/lint-spec'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from './files.ts'

/**
 * In `file`, `from` becomes `to` (a new file if `from` is empty). A finding `says` so (a regular
 * expression), in the same file or `at` another.
 */
type Mistake = { title: string; file: string; from: string; to: string; says: string; at?: string }

const mistakesIn = (name: string): Mistake[] =>
  parse(readFileSync(join(import.meta.dirname, `spec-mistakes/${name}.yaml`), 'utf8')) as Mistake[]

const temporary = mkdtempSync(join(tmpdir(), 'tiwala-spec-'))
afterAll(() => rmSync(temporary, { recursive: true }))

/** Lints a copy of the spec with these mistakes. */
async function lintWith(name: string, mistakes: readonly Mistake[]) {
  const folder = join(temporary, name, 'spec')
  cpSync(join(ROOT, 'spec'), folder, { recursive: true })
  for (const { title, file, from, to } of mistakes) {
    const path = join(folder, file)
    const text = from ? readFileSync(path, 'utf8') : ''
    if (!text.includes(from)) throw new Error(`The spec has no place for the mistake "${title}".`)
    writeFileSync(
      path,
      text.replace(from, () => to),
    )
  }
  return lintSpec(folder)
}

/** After a mistake of the first groups nothing else is checked. */
const GROUPS = [
  ['unreadable'],
  ['references'],
  ['versions'],
  ['documents', 'objects', 'values', 'responses', 'texts'],
]
const runs = GROUPS.map((names) => {
  const mistakes = names.flatMap(mistakesIn)
  return { name: names.join(', '), mistakes, linted: lintWith(names.join('-'), mistakes) }
})

test('the spec has no finding', async () => {
  expect(await lintSpec()).toEqual([])
})

describe.each(runs)('mistakes: $name', ({ mistakes, linted }) => {
  test.each(mistakes)('$title', async ({ file, says, at = file }) => {
    const messages = (await linted).filter(({ path }) => path === `spec/${at}`).map(({ message }) => message)
    expect(messages).toContainEqual(expect.stringMatching(new RegExp(says)))
  })

  test('each finding says where, why it matters and what to write', async () => {
    for (const { line, column, message } of await linted) {
      expect(message).toMatch(/^.+\nWhy: .+\nWrite: .+$/)
      expect(Math.min(line, column)).toBeGreaterThan(0)
    }
  })
})

test('there is a mistake for each rule', async () => {
  const findings = (await Promise.all(runs.map(({ linted }) => linted))).flat()
  const found = new Set(findings.map(({ rule }) => rule))
  expect(RULES.filter((rule) => !found.has(rule))).toEqual([])
})
