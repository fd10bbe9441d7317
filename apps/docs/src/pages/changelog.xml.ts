import type { APIRoute } from 'astro'
import { changelog } from '../reference/changelog.ts'
import { toHtml } from '../reference/markdown.ts'

const PAGE = 'http://localhost:8080/docs/changelog'

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The changelog as RSS 2.0: the published versions. */
export const GET: APIRoute = () => {
  const items = changelog.flatMap(({ version, date, parts }) => {
    if (!date) return []
    const text = parts.map((part) => `<h3>${part.title}</h3>${toHtml(part.text)}`).join('')
    // The links of the pages have no host.
    const html = text.replaceAll('href="/', 'href="http://localhost:8080/')
    return [
      `<item><title>Tiwala contract ${version}</title><link>${PAGE}#v${version}</link>` +
        `<guid isPermaLink="false">tiwala-contract-${version}</guid>` +
        `<pubDate>${new Date(date).toUTCString()}</pubDate><description>${escape(html)}</description></item>`,
    ]
  })
  return new Response(
    '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>' +
      `<title>Tiwala: changes of the contract</title><link>${PAGE}</link>` +
      `<description>What a caller can notice.</description>${items.join('')}</channel></rss>\n`,
  )
}
