import { describe, expect, test } from 'vitest'
import { operatorGuides, withoutSandbox } from '../src/operator-guides.ts'

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
      expect.arrayContaining(['/docs/operations/upgrade#rules-for-migrations', '/docs/operations/upgrade']),
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

test('without the sandbox: its sections, rows, list items and sentences', () => {
  const text = `## Run

One. The sandbox has two. Three.

- Four.
- A sandbox needs five.

| A | B |
| --- | --- |
| \`X\` | Six. Seven in the sandbox. |
| \`TIWALA_SANDBOXES\` | Eight. |

\`\`\`sh
run --nine
\`\`\`

## Run a sandbox

Ten.
`
  const rest = withoutSandbox(text)
  expect(rest.match(/One|two|Three|Four|five|Six|Seven|Eight|nine|Ten/g)).toEqual([
    'One',
    'Three',
    'Four',
    'Six',
    'nine',
  ])
  expect(rest).toContain('| `X` | Six. |')
})
