import { logo } from '@tiwala/ui/logo'
import type { RequestHandler } from 'express'
import {
  type ByteBudget,
  createStaticResponse,
  REVALIDATE,
  sendStatic,
  type StaticResponse,
} from './static-response.ts'

/** Renders a page at its first request, so that the pages take no time at the start. */
export function sendPage(render: () => string, budget: ByteBudget): RequestHandler {
  let stored: Promise<StaticResponse> | undefined
  return sendStatic(() => (stored ??= createStaticResponse('text/html', render())), REVALIDATE, budget)
}

type PageOptions = {
  /** A live service says nothing about a sandbox. */
  isLive?: boolean
  /** Further elements of the head. */
  head?: string
  /** The page is as wide as its pictures need, not as a text. */
  isWide?: boolean
  language?: string
  /** The page leads to no other page, since its reader is a citizen in the middle of something. */
  hasSections?: boolean
}

const SECTIONS = [
  { path: '/sandbox/', name: 'Sandbox', inLive: false },
  { path: '/docs', name: 'Docs', inLive: true },
  { path: '/downloads/', name: 'Downloads', inLive: true },
]

export const renderPage = (
  title: string,
  content: string,
  { isLive = true, head = '', isWide = false, language = 'en', hasSections = true }: PageOptions = {},
) => `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}${title === 'Tiwala' ? '' : ' - Tiwala'}</title>
    <link rel="icon" href="/icon.svg" />
    <link rel="stylesheet" href="/page.css" />${head}
  </head>
  <body>
    <header class="masthead"><div>
      ${logo}
      ${hasSections ? `<nav aria-label="Sections">${navigation(title, isLive)}</nav>` : ''}
    </div></header>
    <main class="column${isWide ? '' : ' narrow'}">
      ${content}
    </main>
  </body>
</html>
`

const navigation = (title: string, isLive: boolean) =>
  SECTIONS.filter(({ inLive }) => inLive || !isLive)
    .map(({ path, name }) => `<a href="${path}"${name === title ? ' aria-current="page"' : ''}>${name}</a>`)
    .join('')

/** The texts use code spans, and no other Markdown. */
export const toHtml = (text: string) => escapeHtml(text.trim()).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/** Text as HTML, in elements and in quoted attributes. */
export const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
