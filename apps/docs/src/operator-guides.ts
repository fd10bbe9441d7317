import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutSandbox } from '@tiwala/server/live-document'
import { site } from './site.ts'

/** `id`: its address below `/docs/`. `order`: its place in the list. */
export type OperatorGuide = {
  id: string
  title: string
  description: string
  order: number
  markdown: string
}

const FOLDER = join(import.meta.dirname, '../../server')
/** The files that are one page. In `OPERATIONS.md`, the section "Upgrade" only leads to the first. */
const TITLES: Record<string, string> = { 'UPGRADING.md': 'Upgrade', 'SETTINGS.md': 'Settings' }

/**
 * The guides of the operator, from the files beside the server: a page for each section of `OPERATIONS.md`,
 * and one for each of the other files. A live site leaves out what concerns the sandbox.
 */
export function operatorGuides(environment = site.environment): OperatorGuide[] {
  const read = (file: string) => {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    return environment === 'live' ? withoutSandbox(text) : text
  }
  const sections = sectionsOf(read('OPERATIONS.md')).map((each) => ({ file: 'OPERATIONS.md', ...each }))
  for (const [file, title] of Object.entries(TITLES)) {
    const at = sections.findIndex((section) => section.title === title)
    const [, markdown = ''] = read(file).split(/^# .+\n/m)
    sections.splice(at < 0 ? sections.length : at, at < 0 ? 0 : 1, { file, title, markdown })
  }
  const pages = sections.map((page, index) => ({
    ...page,
    id: `operations/${slugOf(page.title)}`,
    description: descriptionOf(page.markdown),
    order: index + 1,
  }))
  const addresses = addressesOf(pages)
  const linkTo = (target: string, text: string) => {
    const address = target.startsWith('https:') ? target : addresses.get(target)
    return address ? `[${TITLES[text] ?? text}](${address})` : text
  }
  return pages.map((page) => {
    const markdown = page.markdown.replaceAll(
      /\[([^\]]+)\]\(([^)\s]+)\)/g,
      (_link, text: string, target: string) => linkTo(target, text),
    )
    return { ...page, markdown: page.file === 'SETTINGS.md' ? linkSettings(markdown, page.id) : markdown }
  })
}

/** The settings that a list names lead to their entries, which only the site has (`label-tables.ts`). */
const linkSettings = (markdown: string, id: string) =>
  markdown.replaceAll(/^- .+/gm, (item) => item.replaceAll(/`([A-Z_]+)`/g, `[$&](/docs/${id}#$1)`))

/** Where each link of the files leads on the site. A file that is not on it has no address. */
function addressesOf(pages: { file: string; id: string; markdown: string }[]): Map<string, string> {
  const addresses = new Map<string, string>()
  for (const { file, id, markdown } of pages) {
    const headings = [...markdown.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading]) => slugOf(heading!))
    const own: [anchor: string, address: string][] = [
      [file in TITLES ? '' : `#${id.split('/')[1]}`, `/docs/${id}`],
      ...headings.map((slug): [string, string] => [`#${slug}`, `/docs/${id}#${slug}`]),
    ]
    for (const [anchor, address] of own) addresses.set(anchor, address).set(`${file}${anchor}`, address)
  }
  return addresses
}

const slugOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** The sections of second level. Their own headings rise by one level. */
const sectionsOf = (text: string): { title: string; markdown: string }[] =>
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return { title, markdown: lines.join('\n').replaceAll(/^#(?=## )/gm, '') }
    })

/** The first sentence of the first paragraph. */
const descriptionOf = (markdown: string) =>
  markdown
    .trim()
    .split(/(?<=\.)\s|\n\n/)[0]!
    .replace(/:$/, '.')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)|`/g, '$1')
    .replaceAll('\n', ' ')
