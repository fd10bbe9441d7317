// The changelog by API, and the dates of its versions.
import { expect, test } from 'vitest'
import { changelog, documentOfEntry } from '../src/reference/changelog.ts'

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
