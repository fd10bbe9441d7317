// The last step of a build: files instead of inline scripts and styles, Markdown, and the checks.
import { expect, test } from 'vitest'
import { checkPages } from '../integration/check-pages.ts'
import { colorsInFile, moveInline, nothingMoved, toStyleSheet } from '../integration/move-inline.ts'
import { textNameOf, textPages } from '../integration/text-pages.ts'
import { followColorScheme, withoutTheme } from '../integration/theme.ts'

test('inline scripts and style attributes move into files, each once', () => {
  const moved = nothingMoved()
  const script = `<script>let a = "<p style='x'>"</script>`
  const html = moveInline(
    `${script}<script src="/a.js"></script>${script}` +
      '<p class="big" style="color:red">style="kept"</p><span style="--0:#fff;--1:#000">x</span>' +
      '<a title="a > b" style="color:red">y</a>',
    moved,
  )
  expect(html).not.toMatch(/ style="[^k]|<script>/)
  expect([moved.scripts.size, moved.styles.size]).toEqual([1, 2])
  const [red, colors] = [...moved.styles.keys()]
  expect(html).toContain(`<p class="${red} big">style="kept"</p><span class="${colors}">x</span>`)
  expect(html).toContain(`<a class="${red}" title="a > b">y</a>`)
  expect(toStyleSheet(moved)).toBe(`.${red}{color:red}\n.${colors}{--0:#fff;--1:#000}`)
})

test('the style sheet finds the colored parts of code by their class', () => {
  const css = ".ec-line :where(span[style^='--']:not([class])){color:var(--0)}"
  expect(colorsInFile(css)).toBe(".ec-line :where(span[class^='v-']){color:var(--0)}")
  expect(() => colorsInFile('.ec-line span{}')).toThrow('in another way')
})

test('a page without a theme follows the color scheme', () => {
  expect(withoutTheme('<html lang="en" data-theme="dark" dir="ltr"><p data-theme="dark">')).toBe(
    '<html lang="en" dir="ltr"><p data-theme="dark">',
  )
  const rule = '@layer a,b;@layer a{:root[data-theme=light],[data-theme="light"] p{color:red}p{top:0}}'
  const unthemed = ':where(:root):not([data-theme])'
  expect(followColorScheme(rule)).toBe(
    '@layer a,b;@layer a{:root[data-theme=light],[data-theme="light"] p{color:red}' +
      `@media (prefers-color-scheme: light){:root${unthemed},${unthemed} p{color:red}}p{top:0}}`,
  )
})

const page = (content: string) =>
  `<html><head><meta name="description" content="What it is."></head>` +
  `<body><nav><a href="/docs/b">b</a></nav>` +
  `<main><h1>A page</h1><div class="sl-markdown-content">${content}</div></main></body></html>`

test('the Markdown of a page has its headings, lists, facts, tables and code', () => {
  const html = page(
    '<div class="sl-heading-wrapper"><h2>Part <code>x</code></h2><a class="sl-anchor-link">#</a></div>' +
      '<p>See <a href="/docs/b"><strong>this</strong></a>.</p><ul><li>one</li><li><p>two</p></li></ul>' +
      '<dl><div><dt>Scope</dt><dd>any</dd></div></dl>' +
      '<table><tr><th>Field</th></tr><tr><td>a | b<div>more</div></td></tr></table>' +
      '<pre data-language="sh"><code><div class="ec-line">a \\</div>' +
      '<div class="ec-line">  b</div></code></pre>' +
      '<button>Copy</button>',
  )
  const texts = textPages(new Map([['a/index.html', html]]))
  expect(texts.get(textNameOf('a/index.html'))).toBe(`# A page

## Part \`x\`

See [**this**](/docs/b).

- one

- two

* Scope

  any

| Field |
| - |
| a \\| b more |

\`\`\`sh
a \\
  b
\`\`\`
`)
  expect(texts.get('llms.txt')).toContain('- [A page](http://localhost:8080/docs/a.md): What it is.\n')
})

test('the Markdown of tabs has the label of each before its panel, once, and no list of links to them', () => {
  const panel = (index: number, content: string) =>
    `<div id="tab-panel-0-${index}" aria-labelledby="tab-0-${index}" role="tabpanel" hidden>${content}</div>`
  const html = page(
    '<starlight-tabs><div><ul role="tablist">' +
      '<li><a role="tab" href="#tab-panel-0-0" id="tab-0-0">.NET</a></li>' +
      '<li><a role="tab" href="#tab-panel-0-1" id="tab-0-1">Java</a></li></ul></div>' +
      panel(0, '<pre><code>a</code></pre>') +
      panel(1, '<p class="language">Java</p><p>b</p>') +
      '</starlight-tabs>',
  )
  const texts = textPages(new Map([['a/index.html', html]]))
  expect(texts.get(textNameOf('a/index.html'))).toBe('# A page\n\n**.NET**\n\n```\na\n```\n\n**Java**\n\nb\n')
})

test('llms.txt has sections, pages without a link in order of name, and no 404 page', () => {
  const names = ['errors/b', 'reference/d', 'errors/a', 'b'].map((name) => `${name}/index.html`)
  const texts = textPages(new Map([...names, '404.html'].map((name) => [name, page('')])))
  const list = texts.get('llms.txt')!
  expect([...list.matchAll(/^## .*|\/docs\/.*\.md/gm)].map(([line]) => line)).toEqual([
    '## Overview',
    '/docs/b.md',
    '## Error codes',
    '/docs/errors/a.md',
    '/docs/errors/b.md',
    '## Reference',
    '/docs/reference/d.md',
  ])
})

test('a build fails for two pages with one title', () => {
  const pages = new Map([
    ['a/index.html', '<title>Same</title>'],
    ['b/index.html', '<title>Same</title>'],
  ])
  expect(() => checkPages(pages, [], 'sandbox')).toThrow('a/index.html, b/index.html: the same title, Same')
})

test('a build fails for a dead link, an unknown marker, and the sandbox in live', () => {
  const faultsOf =
    (html: string, environment: 'sandbox' | 'live' = 'sandbox') =>
    () =>
      checkPages(new Map([['a/index.html', html]]), ['index.html', 'a/index.html'], environment)
  const links =
    '<a href="/docs/a#x">a</a> <a href="/docs">b</a> <a href="/openapi/partner.json">c</a> ' +
    'VALUE_QR_TTL_SECONDS'
  expect(faultsOf(links)).not.toThrow()
  expect(faultsOf('<a href="/docs/gone?x">')).toThrow('a/index.html: no page at /docs/gone')
  expect(faultsOf('<a href="/docs/a/">')).toThrow('no page at /docs/a/')
  expect(faultsOf('VALUE_GONE')).toThrow('no setting for VALUE_GONE')
  for (const text of ['The sandbox', 'tiwala-listen'])
    expect(faultsOf(text, 'live')).toThrow('mentions the sandbox')
})
