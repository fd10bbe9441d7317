// The changelog by API, and the dates of its versions.
import { expect, test } from 'vitest'
import { changelog, changelogOf, documentOfEntry } from '../src/reference/changelog.ts'

test.each([
  ['- `inquire` waits longer.', 'partner'],
  ['- `issueQrCode` takes an optional `partner_code`.', 'citizen-app'],
  ['- `changePartner` reads merge patches.', 'operator'],
  ['- **Breaking:** for administrators, `Uniqid` is one set of characters.', 'operator'],
  ["- A citizen's app can call each operation 60 times.", 'citizen-app'],
  ['- `inquire` tells what `revokeAuthorization` did.', 'partner'],
  ['- **Breaking:** for administrators, `status` of `x` is as in `listRecords`.', 'operator'],
  ['- Texts only.', 'partner'],
])('%s: %s', (entry, document) => expect(documentOfEntry(entry)).toBe(document))

test('each version has entries and, once published, a date', () => {
  const [newest, ...published] = changelog
  expect(published.length).toBeGreaterThan(5)
  for (const { version, date, parts } of published)
    expect([version, date, parts.length > 0]).toEqual([
      version,
      expect.stringMatching(/^2026-\d\d-\d\d$/),
      true,
    ])
  expect(newest!.parts.map(({ name }) => name)).toEqual(['partner', 'citizen-app', 'workbench', 'operator'])
})

test('in live, an entry lacks only its sentences about the sandbox', () => {
  const parts = changelogOf('live').flatMap((version) => version.parts)
  const text = parts.map((part) => part.text).join('')
  expect(text).not.toMatch(/sandbox/i)
  expect(text).toMatch(/- A program of a member[^]+`X-Partner-Code`[^]+the filter `failed`\.\n/)
  expect(text).toMatch(/- Routes without credentials[^]+500 requests in a second\.\s+- /)
})
