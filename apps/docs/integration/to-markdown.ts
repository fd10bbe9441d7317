// A page as Markdown, for readers that are programs: the heading, and what is in the column of the text.
import { htmlToHast } from 'satteri'

type Node = {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, string | string[] | undefined>
  children?: Node[]
}

export type MarkdownPage = { title: string; description: string; markdown: string }

export function toMarkdown(html: string): MarkdownPage {
  const root = htmlToHast(html) as unknown as Node
  const title = textOf(find(root, ({ tagName }) => tagName === 'h1')!).trim()
  const content = find(root, (node) => hasClass(node, 'sl-markdown-content'))!
  const meta = find(
    root,
    ({ tagName, properties }) => tagName === 'meta' && properties?.['name'] === 'description',
  )
  const blocks = blocksOf(content)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return {
    title,
    description: String(meta?.properties?.['content'] ?? ''),
    markdown: `# ${title}\n\n${blocks}\n`,
  }
}

/** Elements that a reader of text does not need. */
const OMITTED = new Set(['script', 'style', 'template', 'button', 'noscript', 'nav', 'svg'])

function block(node: Node): string {
  const { tagName = '' } = node
  if (node.type === 'text') return node.value!.trim() ? `${inline(node).trim()}\n\n` : ''
  if (tagName === 'svg') return `${String(node.properties?.['ariaLabel'] ?? '')}\n\n`
  if (OMITTED.has(tagName) || node.properties?.['role'] === 'tablist') return ''
  if (hasClass(node, 'sl-heading-wrapper'))
    return block(find(node, (each) => /^h[2-6]$/.test(each.tagName ?? ''))!)
  if (/^h[1-6]$/.test(tagName)) return `${'#'.repeat(Number(tagName[1]))} ${inlines(node)}\n\n`
  if (tagName === 'p') return `${inlines(node)}\n\n`
  if (tagName === 'pre') return codeBlock(node)
  if (tagName === 'ul' || tagName === 'ol') return `${items(node)}\n`
  if (tagName === 'dl') return `${childrenOf(node).map(fact).join('')}\n`
  if (tagName === 'table') return `${table(node)}\n`
  if (tagName === 'aside' || tagName === 'blockquote')
    return `${blocksOf(node).trim().replaceAll(/^/gm, '> ')}\n\n`
  return node.children ? blocksOf(node) : ''
}

const blocksOf = (node: Node): string => childrenOf(node).map(block).join('')

function inline(node: Node): string {
  const { tagName = '', properties = {} } = node
  if (node.type === 'text') return node.value!.replaceAll(/\s+/g, ' ')
  if (OMITTED.has(tagName) || hasClass(node, 'sl-anchor-link')) return ''
  if (tagName === 'br') return ' '
  if (tagName === 'code') return `\`${textOf(node)}\``
  if (tagName === 'strong') return `**${inlines(node)}**`
  if (tagName === 'em') return `_${inlines(node)}_`
  const isLink = tagName === 'a' && typeof properties['href'] === 'string'
  if (isLink) return `[${inlines(node)}](${String(properties['href'])})`
  const isBlock = tagName === 'div' || tagName === 'p' || tagName === 'li' || hasClass(node, 'presence')
  return isBlock ? ` ${inlines(node)} ` : (node.children ?? []).map(inline).join('')
}

const inlines = (node: Node): string => childrenOf(node).map(inline).join('').replaceAll(/ {2,}/g, ' ').trim()

/** Expressive Code puts each line into an element of its own. */
function codeBlock(node: Node): string {
  const lines = findAll(node, (each) => hasClass(each, 'ec-line')).map((line) => textOf(line).trimEnd())
  const code = lines.length ? lines.join('\n') : textOf(node).trimEnd()
  return `\`\`\`${String(node.properties?.['dataLanguage'] ?? '')}\n${code}\n\`\`\`\n\n`
}

const items = (list: Node): string =>
  findElements(list, 'li')
    .map((item, index) => {
      const marker = list.tagName === 'ol' ? `${index + 1}. ` : '- '
      const isPlain = !childrenOf(item).some(({ tagName = '' }) => /^(p|ul|ol|div|pre)$/.test(tagName))
      const text = isPlain ? inlines(item) : blocksOf(item).trim()
      return `${marker}${text.replaceAll('\n', `\n${' '.repeat(marker.length)}`)}\n`
    })
    .join('')

function fact(node: Node): string {
  const [term, meaning] = [
    find(node, ({ tagName }) => tagName === 'dt'),
    find(node, ({ tagName }) => tagName === 'dd'),
  ]
  return term && meaning ? `- ${inlines(term)}: ${inlines(meaning)}\n` : ''
}

function table(node: Node): string {
  const rows = findAll(node, ({ tagName }) => tagName === 'tr').map((row) =>
    childrenOf(row)
      .filter(({ tagName }) => tagName === 'th' || tagName === 'td')
      .map((cell) => inlines(cell).replaceAll('|', '\\|')),
  )
  const [head = [], ...body] = rows
  const lines = [head, head.map(() => '---'), ...body]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

const childrenOf = ({ children = [] }: Node) => children
const textOf = (node: Node): string => node.value ?? childrenOf(node).map(textOf).join('')
const findElements = (node: Node, name: string) => childrenOf(node).filter(({ tagName }) => tagName === name)

function findAll(node: Node, isWanted: (node: Node) => boolean): Node[] {
  return isWanted(node) ? [node] : childrenOf(node).flatMap((child) => findAll(child, isWanted))
}
const find = (node: Node, isWanted: (node: Node) => boolean): Node | undefined => findAll(node, isWanted)[0]

function hasClass({ properties }: Node, name: string): boolean {
  const classes = properties?.['className'] ?? properties?.['class']
  return Array.isArray(classes) ? classes.includes(name) : (classes ?? '').split(' ').includes(name)
}
