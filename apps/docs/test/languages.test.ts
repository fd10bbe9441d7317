import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const downloadsOf = (file: string) =>
  readFileSync(join(import.meta.dirname, '..', file), 'utf8').match(/^curl .* https:.+$/gm)

test('the guide downloads the generator that LANGUAGES.md was checked with', () => {
  const guide = downloadsOf('src/content/docs/guides/languages.mdx')
  expect(guide).toHaveLength(1)
  expect(downloadsOf('../../packages/client/LANGUAGES.md')).toEqual(guide)
})
