// The tables of Markdown, whose rows are blocks on a narrow screen.
import { markdownToHtml } from 'satteri'
import { expect, test } from 'vitest'
import { labelTables } from '../src/label-tables.ts'

const { html } = markdownToHtml(
  `| Setting | The \`"default"\` |
| - | - |
| \`QR_TTL_SECONDS\`, __init | \`a_b\` |
| Another | |
`,
  { hastPlugins: [labelTables] },
)

test('each cell has its role and the header of its column', () => {
  expect(html).toContain('<table class="labeled" role="table">')
  expect(html).toContain('<th role="columnheader" scope="col">Setting</th>')
  expect(html).toContain('<th role="rowheader" scope="row">Another</th>')
  expect(html).toContain('<td role="cell" data-label="The &quot;default&quot;"><code>a_b</code></td>')
  expect(html).toContain('<td role="cell" data-label="The &quot;default&quot;"></td>')
  expect(html.match(/role="row"/g)).toHaveLength(3)
  expect(html.match(/role="rowgroup"/g)).toHaveLength(2)
  expect(html).not.toMatch(/<(table|thead|tbody|tr|th|td)>/)
})

test('a name in the first column can break after an underscore', () => {
  expect(html).toContain('<code>QR_<wbr>TTL_<wbr>SECONDS</code>, __init')
})

test('a table with defaults is a list, and the name of each entry is its anchor', () => {
  const { html: list } = markdownToHtml(
    `| Setting | Default | Meaning |
| - | - | - |
| \`QR_TTL\` | \`60\` | The *lifetime*. |
| \`PORT\` | | The port. |
`,
    { hastPlugins: [labelTables] },
  )
  expect(list.trim().replaceAll(/>\s+</g, '><')).toBe(
    '<ul class="field-list">' +
      '<li id="QR_TTL"><p class="field-name"><a href="#QR_TTL"><code>QR_<wbr>TTL</code></a></p>' +
      '<p class="more">Default: <code>60</code></p><p>The <em>lifetime</em>.</p></li>' +
      '<li id="PORT"><p class="field-name"><a href="#PORT"><code>PORT</code></a></p><p>The port.</p></li></ul>',
  )
})
