// The tables of a guide, whose rows are blocks on a narrow screen.
import { expect, test } from 'vitest'
import { labelTables } from '../src/label-tables.ts'

const TABLE =
  '<table>\n<thead>\n<tr>\n<th>Setting</th>\n<th>The <code>"default"</code></th>\n</tr>\n</thead>\n' +
  '<tbody>\n<tr>\n<td><code>QR_TTL</code></td>\n<td><code>a_b</code></td>\n</tr>\n' +
  '<tr>\n<td>Another</td>\n<td></td>\n</tr>\n</tbody>\n</table>'

test('each cell has its role and the header of its column', () => {
  const html = labelTables(TABLE)
  expect(html).toContain('<table class="fields labeled" role="table">')
  expect(html).toContain('<th role="columnheader" scope="col">Setting</th>')
  expect(html).toContain('<th role="rowheader" scope="row">Another</th>')
  expect(html).toContain('<td role="cell" data-label="The &quot;default&quot;"><code>a_b</code></td>')
  expect(html).toContain('<td role="cell" data-label="The &quot;default&quot;"></td>')
  expect(html.match(/role="row"/g)).toHaveLength(3)
  expect(html.match(/role="rowgroup"/g)).toHaveLength(2)
  expect(html).not.toMatch(/<(table|thead|tbody|tr|th|td)>/)
})

test('a name in the first column can break after an underscore', () => {
  expect(labelTables(TABLE)).toContain('<code>QR_<wbr>TTL</code>')
})

test('the tables of the reference have roles already', () => {
  const table = '<table class="fields" role="table"><tbody role="rowgroup"></tbody></table>'
  expect(labelTables(table)).toBe(table)
})
