import errors from '@tiwala/contract/errors.json'
import { markdownToHtml } from 'satteri'
import { labelTables } from '../label-tables.ts'
import { documents } from './documents.ts'
import { operations } from './operations.ts'

const LINKS = new Map([
  ...operations.map(({ id }): [string, string] => [id, `/docs/reference/${id}`]),
  ...Object.keys(errors).map((code): [string, string] => [code, `/docs/errors/${code}`]),
  ...[...documents.values()]
    .flatMap(({ webhooks = {} }) => Object.keys(webhooks))
    .map((type): [string, string] => [type, `/docs/events/${type}`]),
])

/** A text of the contract as HTML. The name of an operation, an event or an error code links to its page. */
export function toHtml(markdown: string): string {
  const { html } = markdownToHtml(markdown, { hastPlugins: [labelTables] })
  return html.replaceAll(/<code>([^<]+)<\/code>/g, (code, name: string) => {
    const href = LINKS.get(name.replace(/^\d{3} /, ''))
    return href ? `<a href="${href}">${code}</a>` : code
  })
}

/** The same without a paragraph around it, for a cell or a heading. */
export const toInlineHtml = (markdown: string) =>
  toHtml(markdown).replace(/^<p>([^]*)<\/p>\s*$/, (all, text: string) => (text.includes('<p>') ? all : text))

/** Plain text, for the description of a page: its first sentence. */
export const toSummary = (markdown: string) =>
  markdown
    .split(/(?<=\.)\s/)[0]!
    .replaceAll(/[`*]|\s+(?=\s)/g, '')
    .replaceAll('\n', ' ')
    .trim()
