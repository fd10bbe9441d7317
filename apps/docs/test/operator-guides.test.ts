import { markdownToHtml } from 'satteri'
import { describe, expect, test } from 'vitest'
import { operatorGuides } from '../src/operator-guides.ts'

const linksOf = (markdown: string) => [...markdown.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!)

describe.each(['sandbox', 'live'] as const)('%s', (environment) => {
  const guides = operatorGuides(environment)

  test('a page for each section, the upgrade and the settings, each with a description', () => {
    const ids = guides.map(({ id }) => id)
    expect(ids[0]).toBe('operations/from-nothing-to-live')
    expect(ids).toEqual(expect.arrayContaining(['operations/upgrade', 'operations/settings']))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.includes('operations/run-a-public-sandbox')).toBe(environment === 'sandbox')
    for (const { description } of guides) expect(description).toMatch(/^[\w`].{20,250}\.$/)
  })

  test('a link leads to a guide or away', () => {
    const pages = new Set(guides.map(({ id }) => `/docs/${id}`))
    const links = guides.flatMap(({ markdown }) => linksOf(markdown))
    expect(links.filter((link) => !link.startsWith('https:') && !pages.has(link.split('#')[0]!))).toEqual([])
    expect(links).toEqual(
      expect.arrayContaining([
        '/docs/operations/upgrade#rules-for-migrations',
        '/docs/operations/upgrade',
        '/docs/operations/settings#DATABASE_URL',
      ]),
    )
  })
})

test('a live site has no word of the sandbox, and every setting that live can have', () => {
  const guides = operatorGuides('live')
  expect(guides.filter(({ markdown }) => /sandbox/i.test(markdown))).toEqual([])
  const settingsOf = (environment: 'sandbox' | 'live') =>
    operatorGuides(environment)
      .at(-1)!
      .markdown.match(/(?<=^\| `)\w+/gm)!
  expect(settingsOf('sandbox').filter((name) => !settingsOf('live').includes(name))).toEqual([
    'TIWALA_ENVIRONMENT',
    'TIWALA_DATA_DIR',
    'TIWALA_SANDBOX_HOURS',
    'TIWALA_SANDBOXES',
    'TIWALA_SANDBOXES_PER_ADDRESS',
    'TIWALA_SANDBOXES_PER_NETWORK',
  ])
})

describe('the pages of live', () => {
  const pagesOf = (environment: 'sandbox' | 'live') =>
    operatorGuides(environment).map(({ id, markdown }) => ({ id, html: markdownToHtml(markdown).html }))
  type Pages = ReturnType<typeof pagesOf>
  const [sandbox, live] = [pagesOf('sandbox'), pagesOf('live')]

  test('have whole tables', () => {
    expect(live.filter(({ html }) => /<p>\|/.test(html)).map(({ id }) => id)).toEqual([])
  })

  test('have every numbered step', () => {
    const stepsOf = (pages: Pages) =>
      pages.flatMap(({ id, html }) =>
        [...html.matchAll(/<ol>[^]*?<\/ol>/g)].map(([list]) => `${id}: ${list.split('<li>').length - 1}`),
      )
    expect(stepsOf(live)).toEqual(stepsOf(sandbox))
  })

  test('name the default of each setting, except the database, which live requires', () => {
    const defaultsOf = (pages: Pages) =>
      [...pages.at(-1)!.html.matchAll(/<tr>\s*<td><code>(\w+)<\/code><\/td>[^]*?<\/tr>/g)]
        .filter(([row]) => /Default/.test(row))
        .map(([, name]) => name!)
    expect(defaultsOf(sandbox).filter((name) => !defaultsOf(live).includes(name))).toEqual(['DATABASE_URL'])
  })
})
