import { toMarkdown } from './to-markdown.ts'

const INTRODUCTION = `# Tiwala

> A citizen's government profile for authorized partners, with the citizen's consent, and single sign-on.

Every page of the documentation as Markdown:
`

/** The Markdown of every page, and `llms.txt`, which lists them. */
export function textPages(pages: ReadonlyMap<string, string>): Map<string, string> {
  const texts = new Map<string, string>()
  const lines: string[] = []
  for (const name of inReadingOrder(pages)) {
    const { title, description, markdown } = toMarkdown(pages.get(name)!)
    texts.set(textNameOf(name), markdown)
    lines.push(`- [${title}](http://localhost:8080/docs/${textNameOf(name)}): ${description}`)
  }
  return texts.set('llms.txt', `${INTRODUCTION}\n${lines.join('\n')}\n`)
}

/** The file with the Markdown of a page: its address and `.md`. */
export const textNameOf = (page: string) => page.replace(/(?:\/index)?\.html$/, '.md')

/** The start page, the pages of the sidebar, and all others. */
function inReadingOrder(pages: ReadonlyMap<string, string>): string[] {
  const start = pages.get('index.html') ?? ''
  const sidebar = [...start.matchAll(/href="\/docs\/([^"#]*)"/g)].map(([, path]) => `${path}/index.html`)
  return [...new Set(['index.html', ...sidebar, ...pages.keys()])].filter((name) => pages.has(name))
}
