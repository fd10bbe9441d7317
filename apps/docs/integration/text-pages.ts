import { toMarkdown } from './to-markdown.ts'

const INTRODUCTION = `# Tiwala

> A citizen's government profile for authorized partners, with the citizen's consent, and single sign-on.

Every page of the documentation as Markdown:
`

/** The sections of `llms.txt`, by the folder of a page. */
const SECTIONS: Record<string, string> = {
  guides: 'Guides',
  'citizen-app': 'Citizen app guides',
  operations: 'Operator guides',
  reference: 'Reference',
  events: 'Events',
  errors: 'Error codes',
}
const OTHER_PAGES = 'Overview'

/** The Markdown of every page, and `llms.txt`, which lists them. */
export function textPages(pages: ReadonlyMap<string, string>): Map<string, string> {
  const texts = new Map<string, string>()
  const sections = Map.groupBy(inReadingOrder(pages), (name) => SECTIONS[name.split('/')[0]!] ?? OTHER_PAGES)
  const lines = [...sections].flatMap(([section, names]) => [
    `\n## ${section}\n`,
    ...names.map((name) => {
      const { title, description, markdown } = toMarkdown(pages.get(name)!)
      texts.set(textNameOf(name), markdown)
      return `- [${title}](http://localhost:8080/docs/${textNameOf(name)}): ${description}`
    }),
  ])
  return texts.set('llms.txt', `${INTRODUCTION}${lines.join('\n')}\n`)
}

/** The file with the Markdown of a page: its address and `.md`. */
export const textNameOf = (page: string) => page.replace(/(?:\/index)?\.html$/, '.md')

/** The start page, the pages of the sidebar, and all others by name, without `404.html`. */
function inReadingOrder(pages: ReadonlyMap<string, string>): string[] {
  const start = pages.get('index.html') ?? ''
  const sidebar = [...start.matchAll(/href="\/docs\/([^"#]*)"/g)].map(([, path]) => `${path}/index.html`)
  return [...new Set(['index.html', ...sidebar, ...[...pages.keys()].toSorted()])].filter(
    (name) => pages.has(name) && name.endsWith('index.html'),
  )
}
