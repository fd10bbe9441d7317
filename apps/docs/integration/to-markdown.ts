// A page as Markdown, for readers that are programs: the heading, and what is in the column of the text.
import { select, selectAll } from 'hast-util-select'
import { type Handle, toMdast } from 'hast-util-to-mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown as write } from 'mdast-util-to-markdown'
import { htmlToHast } from 'satteri'

type Parent = Parameters<typeof toMdast>[0]
type Mdast = ReturnType<typeof toMdast>
type Element = NonNullable<ReturnType<typeof select>>

export type MarkdownPage = { title: string; description: string; markdown: string }

/** The names of settings, which the server fills in, and of fields. An underscore in a word needs no escape. */
const ESCAPED = /(?<=\w)\\_(?=\w)/g

export function toMarkdown(html: string): MarkdownPage {
  const root = htmlToHast(html) as unknown as Parent
  const title = textOf(select('h1', root)!).trim()
  const content = select('.sl-markdown-content', root)!
  const description = select('meta[name=description]', root)?.properties['content']
  // A cell is one line.
  for (const block of selectAll('td :is(div, p, ul, li, .presence)', content)) {
    block.tagName = 'span'
    block.children.unshift({ type: 'text', value: ' ' })
  }
  // Its label stands in the list of tabs.
  for (const panel of selectAll('[role=tabpanel]', content)) {
    const { children } = select(`#${panel.properties['ariaLabelledBy']!.join()}`, content)!
    const label: Element = { type: 'element', tagName: 'strong', properties: {}, children }
    panel.children.unshift({ type: 'element', tagName: 'p', properties: {}, children: [label] })
  }
  for (const element of selectAll(OMITTED, content)) element.tagName = 'template'
  const tree = toMdast(content, { handlers: HANDLERS })
  const blocks = write(tree, {
    bullet: '-',
    emphasis: '_',
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  })
  return {
    title,
    description: description ?? '',
    markdown: `# ${title}\n\n${blocks.replaceAll(ESCAPED, '_')}`,
  }
}

/** What leads around a page, the second drawing of a diagram, and the labels that panels have without JavaScript. */
const OMITTED =
  'button, nav, run-it, .parts, .sl-anchor-link, [role=tablist], .language, .diagram-figure .wide'

const HANDLERS: Record<string, Handle> = {
  // Expressive Code puts each line into an element of its own.
  pre: (_, node) => {
    const lines = selectAll('.ec-line', node).map((line) => textOf(line).trimEnd())
    const value = lines.length ? lines.join('\n') : textOf(node).trimEnd()
    return { type: 'code', lang: String(node.properties['dataLanguage'] ?? ''), value }
  },
  svg: (_, { properties }) =>
    properties['ariaLabel']
      ? { type: 'paragraph', children: [{ type: 'text', value: properties['ariaLabel'] }] }
      : undefined,
}

const textOf = (node: Element | Parent | Mdast): string => {
  const { value, children = [] } = node as { value?: string; children?: Element[] }
  return value ?? children.map(textOf).join('')
}
