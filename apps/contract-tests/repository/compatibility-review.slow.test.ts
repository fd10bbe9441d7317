import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { DOCUMENTS, SPEC, toText } from '../../../packages/contract/bundle.ts'
import { findBreaks } from '../../../packages/contract/compatibility/compare-documents.ts'
import { lineOf } from '../../../packages/contract/compatibility/places.ts'
import {
  nextVersion,
  publish,
  readPublished,
  review,
  type Revision,
  sentence,
  toMarkdown,
} from '../../../packages/contract/compatibility/review.ts'
import {
  edited,
  removed,
  withItems,
  withKeys,
  type PlacedEdit,
  replacedBy,
  withoutKey,
} from './compatibility/edits.ts'

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
      /^spec\/CHANGELOG\.md:3 The version is 0\.3\.0\. .+begin `## 0\.3\.1`/,
    )
    expect(problemsOf(revisions('0.3.1', [TEXT]), changelog('0.4.0', 'Words.'))).toMatch(
      /^spec\/CHANGELOG\.md:3 .+under `## 0\.3\.1`/,
    )
    expect(problemsOf(revisions('0.3.1', [TEXT]), changelog('0.3.1', 'Words.'))).toBe('')
  })

  test('before 1.0.0 a break needs a minor version, and an item that names it', () => {
    const named = '**Breaking without notice:** `Profile` has no `photo`.'
    expect(problemsOf(revisions('0.3.1', [BREAK]), changelog('0.3.1', named))).toMatch(
      /break callers: begin `## 0\.4\.0`/,
    )
    for (const item of [
      '`Profile` has no `photo`.',
      '**Breaking without notice:** `Profile` is smaller.',
      '**Breaking:** `Profile` has no `photo`.',
    ])
      expect(problemsOf(revisions('0.4.0', [BREAK]), changelog('0.4.0', item))).toMatch(
        /^spec\/schemas\/profile\.yaml:\d+ partner: Profile > photo .+ Keep the field\. .+`\*\*Breaking without notice:\*\*` and names `Profile` and `photo`/,
      )
    const result = review(revisions('0.4.0', [BREAK]), changelog('0.4.0', named))
    expect(result.problems).toEqual([])
    expect(toMarkdown(result)).toMatch(
      /## partner\n\nBreaking:\n\n- spec\/schemas\/profile\.yaml:\d+ Profile > photo/,
    )
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
    expect(
      problemsOf(broken, changelog('1.3.0', '**Breaking without notice:** `photo` of `Profile`.')),
    ).toMatch(/begin `## 2\.0\.0`/)
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
    expect(partner!.texts).toEqual([
      '`info > version` changed: "0.3.0", now "0.4.0"',
      expect.stringMatching(/^`info > description` changed: ".{0,40}# Errors.+ now ".{0,40}# Refusals/),
      expect.stringMatching(/^`paths > .+ > get > description` changed: .+, now "Other words\."$/),
    ])
    expect(partner!.differences).toEqual([
      expect.stringMatching(/^`paths > .+ > get > parameters > 0 > required` removed: true$/),
      expect.stringMatching(/^`components > schemas > Profile > properties > photo` removed: /),
      '`components > schemas > ErrorCode > enum` without "malformed_request"',
      '`components > schemas > ErrorCode > enum` with "paused"',
    ])
  })

  test('a wider request is a change of the contract, and no text', () => {
    const wider: PlacedEdit = ['QrSubmission > properties > qr_value > maxLength', replacedBy(512)]
    const result = review(revisions('0.3.1', [wider]), changelog('0.3.1', 'More.'))
    expect(result.documents[0]).toMatchObject({ impact: 'minor', breaks: [] })
    expect(result.documents[0]!.differences).toEqual([
      expect.stringContaining('qr_value > maxLength` changed'),
    ])
    expect(toMarkdown(result)).toMatch(/The service accepts more, or promises more\./)
    expect(toMarkdown(review(revisions('0.3.1', [TEXT]), ''))).not.toMatch(/accepts more/)
  })

  test.each<[string, string, string, string, PlacedEdit]>([
    [
      'operation',
      'look',
      'look',
      'partner/openapi.yaml',
      ['path of inquire > put', replacedBy({ operationId: 'look', responses: {} })],
    ],
    [
      'event',
      'profile.seen',
      'profile.seen',
      'partner/openapi.yaml',
      ['webhooks', (old: Record<string, unknown>) => ({ ...old, 'profile.seen': old['profile.viewed'] })],
    ],
    [
      'parameter',
      'region',
      'inquire',
      'partner/paths/inquire.yaml',
      ['inquire > parameters', withItems({ name: 'region', in: 'query', schema: { type: 'string' } })],
    ],
    [
      'field',
      'nonce',
      'TokenRequest',
      'schemas/token-request.yaml',
      ['TokenRequest > properties', withKeys({ nonce: { type: 'string' } })],
    ],
    [
      'field in a part of an allOf',
      'nonce',
      'PendingAuthorization',
      'schemas/pending-authorization.yaml',
      ['PendingAuthorization > allOf', withItems({ properties: { nonce: { type: 'string' } } })],
    ],
  ])('a new %s needs an item that names it and its owner', (_what, name, owner, file, edit) => {
    expect(problemsOf(revisions('0.3.1', [edit]), changelog('0.3.1', 'More.'))).toMatch(
      new RegExp(`^spec/${file}:\\d+ partner: \`${name}\` is new\\. .+ to spec/CHANGELOG\\.md:3\\.$`, 'm'),
    )
    const item = `\`${owner}\` has \`${name}\`.`
    expect(problemsOf(revisions('0.3.1', [edit]), changelog('0.3.1', item))).toBe('')
  })

  test('an item that names the field of another operation announces no addition', () => {
    const added = revisions('0.3.1', [['TokenRequest > properties', withKeys({ nonce: { type: 'string' } })]])
    for (const item of ['`inquire` has `nonce`.', '`inquire` has `nonce`.\n- `generateToken` is faster.'])
      expect(problemsOf(added, changelog('0.3.1', item))).toMatch(
        /`nonce` is new\. Add an item that names `nonce` and `TokenRequest` to/,
      )
    expect(problemsOf(added, changelog('0.3.1', '`generateToken` takes `nonce`.'))).toBe('')
  })

  test('a part of an allOf that narrows a field adds none', () => {
    const narrower: PlacedEdit = [
      'PendingAuthorization > allOf',
      withItems({ properties: { tracking_no: { minLength: 26 } } }),
    ]
    const item = changelog('0.3.1', 'More.')
    expect(problemsOf(revisions('0.3.1', [narrower]), item)).not.toContain('is new')
  })

  test.each([
    ['2027-01-31', /was removed, after its sunset/, '**Breaking:** `inquire`.'],
    ['2028-01-31', /before its sunset on 2028-01-31/, '**Breaking without notice:** `inquire`.'],
  ])('the removal of an operation with the sunset %s', (sunset, problem, item) => {
    const notice = { deprecated: true, 'x-sunset': sunset }
    const before = edited('partner', ['inquire', withKeys(notice)])
    const after = edited('partner', ['path of inquire', removed])
    const [found, ...others] = findBreaks(before as never, after as never, '2027-01-31').filter(
      ({ subject }) => subject === 'inquire',
    )
    expect([found!.problem, others]).toEqual([expect.stringMatching(problem), []])
    expect(found!.isEarly === true).toBe(item.includes('without notice'))
  })

  const PARTS = ['inquire', 'Profile > properties > photo', 'inquire > parameters > 1', 'TimeZone']
  /** The breaks between two sunsets of a part, the first one published. */
  const breaksOf = (place: string, ...sunsets: [string | undefined, string]) => {
    const [before, after] = sunsets.map((sunset) =>
      edited('partner', [place, sunset ? withKeys({ deprecated: true, 'x-sunset': sunset }) : withKeys({})]),
    )
    return findBreaks(before as never, after as never, '2027-01-31')
  }

  test.each(PARTS)('a published sunset moves to a later day only: %s', (place) => {
    expect(breaksOf(place, '2028-01-31', '2028-01-30').map(sentence)).toEqual([
      expect.stringMatching(/x-sunset.*: the sunset was 2028-01-31 and is 2028-01-30\.$/),
    ])
    expect(breaksOf(place, '2028-01-31', '2028-02-01')).toEqual([])
  })

  test.each(PARTS)('a new sunset is in the future: %s', (place) => {
    const [found, ...others] = breaksOf(place, undefined, '2027-01-31')
    expect([sentence(found!), others]).toEqual([expect.stringMatching(/2027-01-31 is not in the future/), []])
    expect(found!.isEarly).toBe(true)
    expect(breaksOf(place, undefined, '2027-02-01')).toEqual([])
    expect(breaksOf(place, '2027-01-31', '2027-01-31')).toEqual([])
  })

  test.each([
    ['Lifetimes > Pending record', /^ +\| Pending record \|/],
    ['Lifetimes > No row of the table', /^ +# Lifetimes$/],
  ])('the place of %s', async (place, text) => {
    const [, file, line] = /^(.+):(\d+)$/.exec(lineOf(SPEC, 'partner', place))!
    const lines = (await readFile(join(SPEC, '..', file!), 'utf8')).split('\n')
    expect(lines[Number(line) - 1]).toMatch(text)
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
    await publish(accepted, changelog('0.4.0', '**Breaking without notice:** `photo` of `Profile`.'), folder)
    expect(await readFile(join(path, 'partner.json'), 'utf8')).toBe(toText(accepted[0]!.after))
    expect((await readdir(path)).length).toBe(DOCUMENTS.length)
  } finally {
    await rm(path, { recursive: true })
  }
})

test('a published file that is no JSON is named', async () => {
  const path = await mkdtemp(join(tmpdir(), 'published-'))
  try {
    await writeFile(join(path, 'operator.json'), '<<<<<<< HEAD\n{}')
    await expect(readPublished('operator', pathToFileURL(`${path}/`))).rejects.toThrow(
      /^spec\/published\/operator\.json:1:1 Unexpected token/,
    )
  } finally {
    await rm(path, { recursive: true })
  }
})
