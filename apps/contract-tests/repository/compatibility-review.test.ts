import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { DOCUMENTS, toText } from '../../../packages/contract/bundle.ts'
import {
  nextVersion,
  publish,
  review,
  type Revision,
  toMarkdown,
} from '../../../packages/contract/compatibility/review.ts'
import { edited, removed, withKeys, type PlacedEdit, replacedBy, withoutKey } from './compatibility/edits.ts'

const TEXT: PlacedEdit = ['inquire > description', replacedBy('Other words.')]
const BREAK: PlacedEdit = ['Profile > properties', withoutKey('photo')]
const ADDITION: PlacedEdit = ['inquire > responses > 200 > headers', withKeys({ 'X-New': { schema: {} } })]

/** The documents with one version, and edits of the partner document. */
function revisions(version: string, edits: PlacedEdit[], published = '0.3.0'): Revision[] {
  return DOCUMENTS.map((name) => ({
    name,
    before: edited(name, ['info > version', replacedBy(published)]),
    after: edited(name, ['info > version', replacedBy(version)], ...(name === 'partner' ? edits : [])),
  }))
}

const changelog = (version: string, item: string) =>
  `# Changes\n\n## ${version}\n\n- ${item}\n\n## 0.3.0\n\n- Old.\n`
const problemsOf = (...given: Parameters<typeof review>) => review(...given).problems.join('\n')

describe('the review of a change', () => {
  test('documents as published need nothing', () => {
    const result = review(revisions('0.3.0', []), '')
    expect(result).toEqual({ documents: [], problems: [] })
    expect(toMarkdown(result)).toBe('The contract is as published.\n')
  })

  test('a text needs a patch version and an entry in the changelog', () => {
    expect(problemsOf(revisions('0.3.0', [TEXT]), changelog('0.3.0', 'Words.'))).toMatch(
      /0\.3\.0\. .+begin `## 0\.3\.1`/,
    )
    expect(problemsOf(revisions('0.3.1', [TEXT]), changelog('0.4.0', 'Words.'))).toMatch(/under `## 0\.3\.1`/)
    expect(problemsOf(revisions('0.3.1', [TEXT]), changelog('0.3.1', 'Words.'))).toBe('')
  })

  test('before 1.0.0 a break needs a minor version, and an item that names it', () => {
    const named = '**Breaking:** `Profile` has no `photo`.'
    expect(problemsOf(revisions('0.3.1', [BREAK]), changelog('0.3.1', named))).toMatch(
      /break callers: begin `## 0\.4\.0`/,
    )
    for (const item of ['`Profile` has no `photo`.', '**Breaking:** `Profile` is smaller.'])
      expect(problemsOf(revisions('0.4.0', [BREAK]), changelog('0.4.0', item))).toMatch(
        /Profile > photo .+ Keep the field\. .+`\*\*Breaking:\*\*` and names `Profile` and `photo`/,
      )
    const result = review(revisions('0.4.0', [BREAK]), changelog('0.4.0', named))
    expect(result.problems).toEqual([])
    expect(toMarkdown(result)).toMatch(/## partner\n\nBreaking:\n\n- Profile > photo/)
  })

  test('an item can name all operations that a break reaches', () => {
    const optionalHeader: PlacedEdit = ['TimeZone > required', removed]
    const all = '**Breaking:** `requestAuthorization`, `inquire`, `profileByQr` and `cancelAuthorization`.'
    expect(problemsOf(revisions('0.4.0', [optionalHeader]), changelog('0.4.0', all))).toBe('')
    for (const one of ['requestAuthorization', 'cancelAuthorization'])
      expect(
        problemsOf(revisions('0.4.0', [optionalHeader]), changelog('0.4.0', `**Breaking:** \`${one}\`.`)),
      ).toMatch(/TimeZone \(requestAuthorization, inquire, profileByQr, and 1 more\)/)
  })

  test('from 1.0.0 an addition needs a minor version and a break a major version', () => {
    const added = revisions('1.2.4', [TEXT, ADDITION], '1.2.3')
    expect(problemsOf(added, changelog('1.2.4', 'More.'))).toMatch(/add to the contract: begin `## 1\.3\.0`/)
    const broken = revisions('1.3.0', [BREAK], '1.2.3')
    expect(problemsOf(broken, changelog('1.3.0', '**Breaking:** `photo` of `Profile`.'))).toMatch(
      /begin `## 2\.0\.0`/,
    )
  })

  test('the report lists every change, harmless or not, and no order of keys', () => {
    const edits: PlacedEdit[] = [
      BREAK,
      TEXT,
      ['ErrorCode > enum', (old: string[]) => [...old.slice(1), 'paused']],
      ['webhooks', (old: object) => Object.fromEntries(Object.entries(old).toReversed())],
      ['inquire > parameters > 0 > required', removed],
      ['info > description', (old: string) => old.replace('# Errors', '# Refusals')],
    ]
    const [partner] = review(revisions('0.4.0', edits), '').documents
    expect(partner!.differences).toEqual([
      '`info > version` changed: "0.3.0", now "0.4.0"',
      expect.stringMatching(/^`info > description` changed: ".{0,40}# Errors.+ now ".{0,40}# Refusals/),
      expect.stringMatching(/^`paths > .+ > get > description` changed: .+, now "Other words\."$/),
      expect.stringMatching(/^`paths > .+ > get > parameters > 0 > required` removed: true$/),
      expect.stringMatching(/^`components > schemas > Profile > properties > photo` removed: /),
      '`components > schemas > ErrorCode > enum` without "malformed_request"',
      '`components > schemas > ErrorCode > enum` with "paused"',
    ])
  })

  test('from 1.0.0 other texts need a patch version', () => {
    expect(problemsOf(revisions('1.2.4', [TEXT], '1.2.3'), changelog('1.2.4', 'Words.'))).toBe('')
  })

  test.each([
    ['0.3.9', '0.3.10', '0.3.10', '0.4.0'],
    ['1.2.3', '1.2.4', '1.3.0', '2.0.0'],
  ])('after %s: a text gives %s, an addition %s, a break %s', (published, patch, minor, major) => {
    expect(nextVersion(published, 'patch')).toBe(patch)
    expect(nextVersion(published, 'minor')).toBe(minor)
    expect(nextVersion(published, 'major')).toBe(major)
  })
})

test('a refused change is not published, and an accepted one is published as generated', async () => {
  const path = await mkdtemp(join(tmpdir(), 'published-'))
  const folder = pathToFileURL(`${path}/`)
  try {
    await publish(revisions('0.4.0', [BREAK]), changelog('0.4.0', 'Less.'), folder)
    expect(await readdir(path)).toEqual([])
    const accepted = revisions('0.4.0', [BREAK])
    await publish(accepted, changelog('0.4.0', '**Breaking:** `photo` of `Profile`.'), folder)
    expect(await readFile(join(path, 'partner.json'), 'utf8')).toBe(toText(accepted[0]!.after))
    expect((await readdir(path)).length).toBe(DOCUMENTS.length)
  } finally {
    await rm(path, { recursive: true })
  }
})
