import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { DOCUMENTS, toText } from '../../../packages/contract/bundle.ts'
import { toMarkdown } from '../../../packages/contract/compatibility/markdown.ts'
import { publish } from '../../../packages/contract/compatibility/published.ts'
import { type ListedChange, listChanges } from '../../../packages/contract/compatibility/redocly.ts'
import { review, type Revision } from '../../../packages/contract/compatibility/review.ts'
import { nextVersion } from '../../../packages/contract/compatibility/versions.ts'
import { edited, gone, type PlacedEdit, plus, readPublished, to, without } from './compatibility/edits.ts'
import { ADDITIONS } from './compatibility/harmless-additions.ts'
import { LOOSER } from './compatibility/harmless-bounds.ts'
import { OTHER_WORDS } from './compatibility/harmless-words.ts'

const TEXT: PlacedEdit = ['inquire > description', to('Other words.')]
const BREAK: PlacedEdit = ['Profile > properties', without('photo')]
const listed = (impact: ListedChange['impact']): ListedChange => ({
  path: '#/paths/~1x',
  kind: 'modified',
  impact,
  verdicts: impact === 'major' ? [{ ruleId: 'path-removed', message: 'Path was removed.' }] : [],
})

/** The documents with one version, and edits of the partner document. */
function revisions(
  version: string,
  edits: PlacedEdit[],
  changes: ListedChange[] = [],
  published = '0.3.0',
): Revision[] {
  return DOCUMENTS.map((name) => ({
    name,
    before: edited(name, ['info > version', to(published)]),
    after: edited(name, ['info > version', to(version)], ...(name === 'partner' ? edits : [])),
    changes: name === 'partner' ? changes : [],
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
      /0\.3\.0\. .+set info\.version to 0\.3\.1/,
    )
    expect(problemsOf(revisions('0.3.1', [TEXT]), changelog('0.4.0', 'Words.'))).toMatch(/under `## 0\.3\.1`/)
    expect(problemsOf(revisions('0.3.1', [TEXT]), changelog('0.3.1', 'Words.'))).toBe('')
  })

  test('before 1.0.0 a break needs a minor version, and an item that names it', () => {
    const named = '**Breaking:** `Profile` has no `photo`.'
    expect(problemsOf(revisions('0.3.1', [BREAK]), changelog('0.3.1', named))).toMatch(
      /break callers: set info\.version to 0\.4\.0/,
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
    const optionalHeader: PlacedEdit = ['TimeZone > required', gone]
    const all = '**Breaking:** `requestAuthorization`, `inquire`, `profileByQr` and `cancelAuthorization`.'
    expect(problemsOf(revisions('0.4.0', [optionalHeader]), changelog('0.4.0', all))).toBe('')
    for (const one of ['requestAuthorization', 'cancelAuthorization'])
      expect(
        problemsOf(revisions('0.4.0', [optionalHeader]), changelog('0.4.0', `**Breaking:** \`${one}\`.`)),
      ).toMatch(/TimeZone \(requestAuthorization, inquire, profileByQr, and 1 more\)/)
  })

  test('from 1.0.0 an addition needs a minor version and a break a major version', () => {
    const added = revisions('1.2.4', [TEXT], [listed('minor')], '1.2.3')
    expect(problemsOf(added, changelog('1.2.4', 'More.'))).toMatch(
      /add to the contract: set info\.version to 1\.3\.0/,
    )
    const broken = revisions('1.3.0', [BREAK], [], '1.2.3')
    expect(problemsOf(broken, changelog('1.3.0', '**Breaking:** `photo` of `Profile`.'))).toMatch(
      /set info\.version to 2\.0\.0/,
    )
  })

  test('the documents have one version', () => {
    const [partner, ...others] = revisions('0.4.0', [TEXT])
    const behind = others.map((each) => ({ ...each, after: each.before }))
    expect(problemsOf([partner!, ...behind], changelog('0.4.0', 'Words.'))).toMatch(
      /^citizen-app: .+0\.3\.1 or higher, the same in all/,
    )
    const ahead = others.map((each) => ({
      ...each,
      after: edited(each.name, ['info > version', to('0.5.0')]),
    }))
    expect(problemsOf([partner!, ...ahead], changelog('0.4.0', 'Words.'))).toMatch(
      /^citizen-app: .+0\.5\.0, but 0\.4\.0 in partner/,
    )
  })

  test('the report lists every change, harmless or not, and no order of keys', () => {
    const edits: PlacedEdit[] = [
      BREAK,
      TEXT,
      ['ErrorCode > enum', (old: string[]) => [...old.slice(1), 'paused']],
      ['webhooks', (old: object) => Object.fromEntries(Object.entries(old).toReversed())],
      ['inquire > parameters > 0 > required', gone],
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

  test('a break that only Redocly finds counts', () => {
    expect(problemsOf(revisions('0.4.0', [TEXT], [listed('major')]), changelog('0.4.0', 'Words.'))).toMatch(
      /Path was removed\. .+names `path-removed`/,
    )
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

describe('Redocly, with its rules on', () => {
  const published = readPublished('partner')
  const majorOf = (changes: ListedChange[]) =>
    new Set(
      changes
        .filter(({ impact }) => impact === 'major')
        .flatMap(({ verdicts }) => verdicts.map(({ ruleId }) => ruleId)),
    )

  test('calls breaks major', async () => {
    const changes = await listChanges(
      published,
      edited(
        'partner',
        ['paths', (old: object) => Object.fromEntries(Object.entries(old).slice(1))],
        BREAK,
        ['Profile > required', (old: string[]) => old.slice(1)],
        ['TokenRequest > required', plus('nonce')],
        ['inquire > responses', without('410')],
        ['secretCode > name', to('X-Code')],
      ),
    )
    expect(majorOf(changes)).toEqual(
      new Set([
        'path-removed',
        'property-removed',
        'required-properties-removed',
        'required-properties-added',
        'response-removed',
        'security-scheme-changed',
      ]),
    )
  })

  test('calls harmless changes minor or patch, and lists them', async () => {
    const all = [...OTHER_WORDS, ...ADDITIONS, ...LOOSER].filter(([, document]) => document === 'partner')
    const edits = all
      .map(([, , place, change]): PlacedEdit => [place, change])
      .filter(([place]) => !all.some(([, , other]) => place.startsWith(`${other} > `)))
    const changes = await listChanges(published, edited('partner', ...edits))
    expect(changes.length).toBeGreaterThan(15)
    expect(majorOf(changes)).toEqual(new Set())
  })
})
