// Prepares the tables of a guide for narrow screens, where a row is a block: explicit roles, which
// `display: block` would remove, and at each cell the header of its column.

/** A name such as `TIWALA_QR_TTL_SECONDS` can break after an underscore. */
const NAME = /<code>(\w+_\w+)<\/code>/g

/** Changes the tables that Markdown has made. They have no attributes. */
export const labelTables = (html: string): string =>
  html.replaceAll(/<table>([^]*?)<\/table>/g, (_table, content: string) => labelTable(content))

function labelTable(content: string): string {
  const [head = '', body = ''] = content.split('</thead>')
  const labels = [...head.matchAll(/<th>([^]*?)<\/th>/g)].map(([, label]) => textOf(label!))
  const rows = body.replaceAll(/<tr>([^]*?)<\/tr>/g, (_row, cells: string) => {
    let column = 0
    return `<tr role="row">${cells.replaceAll(/<td>([^]*?)<\/td>/g, (_cell, cell: string) =>
      labelCell(cell, labels[column]!, column++),
    )}</tr>`
  })
  return (
    '<table class="fields labeled" role="table">' +
    head
      .replaceAll('<thead>', '<thead role="rowgroup">')
      .replaceAll('<tr>', '<tr role="row">')
      .replaceAll('<th>', '<th role="columnheader" scope="col">') +
    `</thead>${rows.replace('<tbody>', '<tbody role="rowgroup">')}</table>`
  )
}

function labelCell(cell: string, label: string, column: number): string {
  if (column) return `<td role="cell" data-label="${label}">${cell}</td>`
  const breaking = cell.replaceAll(NAME, (_code, name: string) => `<code>${breakName(name)}</code>`)
  return `<th role="rowheader" scope="row">${breaking}</th>`
}

const breakName = (name: string) => name.replaceAll(/_(?=[^_])/g, '_<wbr>')

/** The text is in an attribute: a quotation mark would end it. */
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, '').replaceAll('"', '&quot;')
