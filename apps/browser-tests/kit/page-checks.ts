import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SCREENSHOTS = join(import.meta.dirname, '../screenshots')

type AxeResult = { violations: { id: string; impact: string; nodes: { target: string[]; html: string }[] }[] }
declare const axe: { run(context: string, options: object): Promise<AxeResult> }

/**
 * The serious and critical findings of axe, contrast among them, as `rule: element`. `rules` limits it to
 * these, and `part` to the elements of this selector.
 */
export async function axeFindings(
  page: Page,
  { rules, part = 'html' }: { rules?: string[]; part?: string } = {},
): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    ([runOnly, selector]) => axe.run(selector, { resultTypes: ['violations'], ...(runOnly && { runOnly }) }),
    [rules, part] as const,
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

/** The address and the compressed size of what was loaded before. */
const sizes = new Map<string, Promise<number>>()

const gzipBytesOf = async (url: string) => {
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } })
  return Number(headers.get('content-length'))
}

/** What a first visit of the open page transfers with gzip, except what matches. */
export async function pageGzipBytes(page: Page, except = /^$/): Promise<number> {
  const urls = await page.evaluate(() => [
    location.href,
    ...performance.getEntriesByType('resource').map(({ name }) => name),
  ])
  let sum = 0
  for (const url of new Set(urls.filter((each) => each.startsWith('http') && !except.test(each)))) {
    const size = sizes.get(url) ?? gzipBytesOf(url)
    sizes.set(url, size)
    sum += await size
  }
  return sum
}

/** When the open page showed something for the first time. */
export const firstPaintMs = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity)

/** Writes `screenshots/<name>-<width>-<scheme>.png`. */
export async function keepScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  const scheme = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const file = `${name}-${page.viewportSize()!.width}-${scheme ? 'dark' : 'light'}.png`
  // What sticks to the top or the bottom of the window would be in the middle of the page.
  if (fullPage) await page.evaluate(() => scrollTo(0, 0))
  await page.screenshot({ path: join(SCREENSHOTS, file), fullPage })
}
