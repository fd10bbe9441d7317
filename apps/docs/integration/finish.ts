// The last step of a build, after the search index: what Astro and Starlight leave open.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { site } from '../src/site.ts'
import { checkPages } from './check-pages.ts'
import { colorsInFile, hashOf, moveInline, nothingMoved, toStyleSheet } from './move-inline.ts'
import { textNameOf, textPages } from './text-pages.ts'
import { followColorScheme, withoutTheme } from './theme.ts'

export const finish = (): AstroIntegration => ({
  name: 'finish',
  hooks: {
    'astro:build:done': async ({ dir }) => finishSite(fileURLToPath(dir)),
  },
})

async function finishSite(folder: string): Promise<void> {
  const moved = nothingMoved()
  const pages = new Map<string, string>()
  const listed = await listFiles(folder)
  for (const name of listed.filter((each) => each.endsWith('.html')))
    pages.set(name, moveInline(withoutTheme(await readFile(join(folder, name), 'utf8')), moved))
  const styles = toStyleSheet(moved)
  const styleSheet = `_astro/inline.${hashOf(styles)}.css`
  const texts = textPages(pages)
  for (const [name, html] of pages) {
    const text = texts.has(textNameOf(name)) ? linkToText(name) : ''
    pages.set(name, html.replace('</head>', `${linkToStyles(styleSheet)}${text}</head>`))
  }
  const changed = [...pages, ...moved.scripts, ...texts, [styleSheet, styles] as const]
  for (const [name, text] of changed) await writeFile(join(folder, name), text)
  for (const name of listed.filter((each) => /^_astro\/.*\.css$/.test(each))) {
    // Expressive Code follows the color scheme by itself.
    const change = name.startsWith('_astro/ec.') ? colorsInFile : followColorScheme
    await writeFile(join(folder, name), change(await readFile(join(folder, name), 'utf8')))
  }
  checkPages(pages, await listFiles(folder), site.environment)
}

const linkToStyles = (styleSheet: string) => `<link rel="stylesheet" href="/docs/${styleSheet}">`
const linkToText = (page: string) =>
  `<link rel="alternate" type="text/markdown" href="/docs/${textNameOf(page)}">`

const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true })).map((name) => name.split(sep).join('/'))
