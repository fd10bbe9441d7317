import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SCREENSHOTS = join(import.meta.dirname, '../screenshots')

type AxeResult = { violations: { id: string; impact: string; nodes: { target: string[]; html: string }[] }[] }
declare const axe: { run(context: Document, options: object): Promise<AxeResult> }

/**
 * The serious and critical findings of axe, contrast among them, as `rule: element`. `rules` limits it to
 * these.
 */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    (runOnly) => axe.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) }),
    rules,
  )
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')}: ${html}`))
}

/** The elements that are wider than the page, if the page scrolls sideways. */
export function sidewaysScrolling(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return [`${scrollWidth} of ${clientWidth} px`, ...wide.map(({ outerHTML }) => outerHTML.slice(0, 100))]
  })
}

/** Counts what the next visits of the page load. Call it before `goto`. */
export function countBytes(page: Page): { gzipBytes(): Promise<number> } {
  const bodies = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    const body = response.body()
    // A redirect has no body.
    body.catch(() => {})
    if (response.status() === 200) bodies.set(response.url(), body)
  })
  return {
    gzipBytes: async () => {
      const loaded = await Promise.all(bodies.values())
      return loaded.reduce((sum, body) => sum + gzipSync(body).length, 0)
    },
  }
}

/** Writes `screenshots/<name>-<width>-<scheme>.png`. */
export async function keepScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  const scheme = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const file = `${name}-${page.viewportSize()!.width}-${scheme ? 'dark' : 'light'}.png`
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage })
}
