import type { RequestHandler } from 'express'
import { REVALIDATE } from './pages.ts'
import { type ByteBudget, createStaticResponse, sendStatic, type StaticResponse } from './static-response.ts'

/** Renders a page at its first request, so that the pages take no time at the start. */
export function sendPage(render: () => string, budget: ByteBudget): RequestHandler {
  let stored: Promise<StaticResponse> | undefined
  return sendStatic(() => (stored ??= createStaticResponse('text/html', render())), REVALIDATE, budget)
}

export const renderPage = (title: string, content: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} - Tiwala</title>
    <link rel="icon" href="/icon.svg" />
    <link rel="stylesheet" href="/page.css" />
  </head>
  <body>
    <main>
      ${content}
    </main>
  </body>
</html>
`

/** The texts use code spans, and no other Markdown. */
export const toHtml = (text: string) => escapeHtml(text.trim()).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/** Text as HTML, in elements and in quoted attributes. */
export const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
