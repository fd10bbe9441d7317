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
  /** The links in the header: by default to the other pages, to which no citizen in the middle of a sign-in is led. */
  nav?: string
}

const SECTIONS = [
  { path: '/sandbox/', name: 'Sandbox', inLive: false },
  { path: '/docs', name: 'Docs', inLive: true },
  { path: '/downloads/', name: 'Downloads', inLive: true },
]

export const renderPage = (
  title: string,
  content: string,
  {
    isLive = true,
    head = '',
    isWide = false,
    language = 'en',
    nav = sections(title, isLive),
  }: PageOptions = {},
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
      ${nav}
    </div></header>
    <main class="column${isWide ? '' : ' narrow'}">
      ${content}
    </main>
  </body>
</html>
`

const sections = (title: string, isLive: boolean) =>
  `<nav aria-label="Sections">${SECTIONS.filter(({ inLive }) => inLive || !isLive)
    .map(({ path, name }) => `<a href="${path}"${name === title ? ' aria-current="page"' : ''}>${name}</a>`)
    .join('')}</nav>`

/** The texts use code spans, and no other Markdown. */
export const toHtml = (text: string) => escapeHtml(text.trim()).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/** Text as HTML, in elements and in quoted attributes. */
export const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
