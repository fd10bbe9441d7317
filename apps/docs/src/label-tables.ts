// Prepares the tables of Markdown for narrow screens, where a row is a block: explicit roles, which
// `display: block` would remove, and at each cell the header of its column. A table of names with their defaults
// and meanings becomes a list at every width: its columns would be too narrow for the names and the defaults.
import { defineHastPlugin, type HastNode, type HastVisitorContext } from 'satteri'

type Element = Extract<HastNode, { type: 'element' }>

/** The plugin of the Markdown renderer. */
export const labelTables = defineHastPlugin({
  name: 'label-tables',
  element: {
    filter: ['table'],
    visit: (table, context) => {
      const [head, body] = elementsOf(table)
      const labels = elementsOf(elementsOf(head!)[0]!).map((cell) => context.textContent(cell))
      if (labels[1] !== 'Default') return labelTable(table, labels)
      const entries = elementsOf(body!).map((row) => toEntry(row, context))
      return { ...table, tagName: 'ul', properties: { className: ['field-list'] }, children: entries }
    },
  },
})

/** An entry like a field of the reference. Its name is its anchor. */
function toEntry(row: Element, context: HastVisitorContext): Element {
  const [name, value, meaning] = elementsOf(row) as [Element, Element, Element]
  const id = context.textContent(name)
  const link = element('a', { href: `#${id}` }, mapElements(name, breakName))
  return element('li', { id }, [
    element('p', { className: ['field-name'] }, [link]),
    ...(value.children.length
      ? [element('p', { className: ['more'] }, [text('Default: '), ...value.children])]
      : []),
    element('p', {}, meaning.children),
  ])
}

function labelTable(table: Readonly<Element>, labels: string[]): Element {
  return {
    ...table,
    properties: { className: ['labeled'], role: 'table' },
    children: mapElements(table, (group) => ({
      ...group,
      properties: { role: 'rowgroup' },
      children: mapElements(group, (row) => labelRow(row, labels, group.tagName === 'thead')),
    })),
  }
}

function labelRow(row: Element, labels: string[], isHead: boolean): Element {
  let column = -1
  const label = (cell: Element): Element => {
    column += 1
    if (isHead) return { ...cell, properties: { role: 'columnheader', scope: 'col' } }
    if (column > 0) return { ...cell, properties: { role: 'cell', dataLabel: labels[column]! } }
    const properties = { role: 'rowheader', scope: 'row' }
    return { ...cell, tagName: 'th', properties, children: mapElements(cell, breakName) }
  }
  return { ...row, properties: { role: 'row' }, children: mapElements(row, label) }
}

/** A name such as `TIWALA_QR_TTL_SECONDS` can break after an underscore. */
function breakName(node: Element): Element {
  const [name] = node.children
  if (node.tagName !== 'code' || name?.type !== 'text') return node
  const [first, ...others] = name.value.split(/(?<=\w_)(?=[^_])/)
  return { ...node, children: [text(first!), ...others.flatMap((part) => [wbr(), text(part)])] }
}

const text = (value: string) => ({ type: 'text' as const, value })

const element = (
  tagName: string,
  properties: Element['properties'],
  children: Element['children'],
): Element => ({ type: 'element', tagName, properties, children })

const wbr = () => element('wbr', {}, [])

const elementsOf = (node: Readonly<Element>) => node.children.filter((child) => child.type === 'element')

const mapElements = (node: Readonly<Element>, change: (child: Element) => Element) =>
  node.children.map((child) => (child.type === 'element' ? change(child) : child))
