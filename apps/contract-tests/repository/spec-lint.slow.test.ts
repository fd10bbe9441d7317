// Each mistake of spec-mistakes/ is found, with its file and line: by `npm run spec:lint`, or later by
// `npm run generate` (generate.yaml) or a test of the repository (`step`). Many mistakes are seeded in one copy
// of the spec, because linting is slow.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '@tiwala/contract/bundle'
import { generate } from '@tiwala/contract/generate'
import { formatFinding, lintSpec } from '@tiwala/contract/lint-spec'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { review } from '../../../packages/contract/compatibility/review.ts'
import { expectNone } from './expect-none.ts'
import { ROOT } from './files.ts'
import { REFUSED_WORDS } from './refused-words.ts'

/**
 * In `file`, `from` becomes `to` (a new file if `from` is empty). The message of a finding in
 * the same file, or in the file `at`, matches the regular expression `expected`.
 */
type Mistake = {
  title: string
  file: string
  from: string
  to: string
  expected: string
  at?: string
  step?: 'tests'
}

const mistakesIn = (name: string): Mistake[] =>
  parse(readFileSync(join(import.meta.dirname, `spec-mistakes/${name}.yaml`), 'utf8')) as Mistake[]

const temporary = mkdtempSync(join(tmpdir(), 'tiwala-spec-'))
afterAll(() => rmSync(temporary, { recursive: true }))

/** A copy of the spec with these mistakes. */
function specWith(name: string, mistakes: readonly Mistake[]): string {
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
  return folder
}

/** After a mistake of the first groups nothing else is checked. */
const GROUPS = [
  ['unreadable'],
  ['circles'],
  ['references'],
  ['versions'],
  ['documents', 'objects', 'values', 'responses', 'texts'],
]
const runs = GROUPS.map((names) => {
  const mistakes = names.flatMap(mistakesIn).filter(({ step }) => !step)
  return { name: names.join(', '), mistakes, linted: lintSpec(specWith(names.join('-'), mistakes)) }
})

test('the spec has no finding', async () => {
  expectNone((await lintSpec()).map(formatFinding))
})

describe.each(runs)('`npm run spec:lint` finds: $name', ({ mistakes, linted }) => {
  test.each(mistakes)('$title', async ({ file, expected, at = file }) => {
    const findings = (await linted).filter(({ path }) => path === `spec/${at}`)
    const found = findings.find(({ message }) => new RegExp(expected).test(message))
    expect(found, `spec/${at} has no finding /${expected}/, but: ${JSON.stringify(findings)}`).toBeDefined()
    expect(Math.min(found!.line, found!.column)).toBeGreaterThan(0)
  })
})

describe('`npm run generate` finds', () => {
  test.each(mistakesIn('generate'))('$title', async (mistake) => {
    const { title, file, expected, at = file } = mistake
    const generated = generate(specWith(title, [mistake]), join(temporary, title, 'generated'))
    await expect(generated).rejects.toThrow(new RegExp(`^spec/${at}:\\d+:\\d+ .*${expected}`, 'm'))
  })
})

test('legal forms have no finding, and every tool reads them', async () => {
  const spec = specWith('legal', mistakesIn('legal'))
  expectNone((await lintSpec(spec)).map(formatFinding))
  await generate(spec, join(temporary, 'legal', 'generated'))
  const after = await bundle('partner', spec)
  const problems = review([{ name: 'partner', before: await bundle('partner'), after }], '').problems
  expect(problems.join(' ')).toContain('SecretExpiry')
})

describe('the test of the words of the repository finds', () => {
  test.each(mistakesIn('texts').filter(({ step }) => step))('$title', ({ to }) => {
    expect(to).toMatch(REFUSED_WORDS)
  })
})
