import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { expectNone } from './expect-none.ts'
import { handWritten } from './files.ts'

const pages = new Map(
  handWritten(/\.md$/).map(({ path, text }) => [path, text.replaceAll(/^```[^]*?^```/gm, '')]),
)

/** The anchors that GitHub makes of the headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

test('each link between Markdown files leads to a heading that exists', () => {
  const links = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)].map(([, file, anchor]) => ({
      path,
      target: file ? normalize(join(dirname(path), file)) : path,
      anchor: anchor!,
    })),
  )
  const known = links.filter(({ target }) => pages.has(target))
  expect(known.length).toBeGreaterThan(20)
  expectNone(known.filter(({ target, anchor }) => !anchorsOf(pages.get(target)!).includes(anchor)))
})
