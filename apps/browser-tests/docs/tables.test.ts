// The tables of a guide: a row is a block on a phone, and a row on a wide screen and on paper.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, openPage, PHONE } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot, sidewaysScrolling } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'

const service = await startServiceForFile()
const texts = await (await fetch(`${service.url}/docs/llms.txt`)).text()
const GUIDES = [...texts.matchAll(/\/docs\/((?:guides|citizen-app|operations)\/[\w-]+)\.md/g)].map(
  ([, path]) => path!,
)
const TABLES = '.sl-markdown-content table'

const open = async (page: Page, path: string) => page.goto(`${service.url}/docs/${path}`)

/** The tables that are wider than their place. */
const wideTables = (page: Page) =>
  page.locator(TABLES).evaluateAll((tables) =>
    tables
      .filter((table) => {
        const { right } = table.parentElement!.getBoundingClientRect()
        return table.scrollWidth > table.clientWidth + 1 || table.getBoundingClientRect().right > right + 1
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 100)),
  )

test.each([PHONE, DESKTOP])('at $width px: no table of a guide is wider than the text', async (view) => {
  const page = await openPage(service.url, view)
  const findings: string[] = []
  let tables = 0
  for (const path of GUIDES) {
    await open(page, path)
    tables += await page.locator(TABLES).count()
    findings.push(...(await wideTables(page)), ...(await sidewaysScrolling(page)))
  }
  expect(tables).toBeGreaterThan(10)
  expect(findings).toEqual([])
})

test.each(['light', 'dark'] as const)('at 375 px, %s: each cell says what it is', async (scheme) => {
  const page = await openPage(service.url, { ...PHONE, scheme })
  await open(page, 'operations/watch-the-service')
  const metrics = page.locator(TABLES).filter({ hasText: 'tiwala_requests_total' })
  const row = page.getByRole('row').filter({ hasText: 'tiwala_requests_total' })
  const [table, name, value] = await Promise.all(
    [
      metrics,
      row.getByRole('rowheader', { name: 'tiwala_requests_total' }),
      row.getByRole('cell', { name: 'counter', exact: true }),
    ].map((element) => element.boundingBox()),
  )
  expect([name!.width, value!.width, value!.x]).toEqual([table!.width, table!.width, name!.x])
  expect(value!.y).toBeGreaterThanOrEqual(name!.y + name!.height)
  expect(await metrics.getByRole('columnheader').allInnerTexts()).toEqual(['Metric', 'Type', 'Meaning'])
  const labelsOf = (cells: Locator) =>
    cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell, '::before').content))
  expect(await labelsOf(row.getByRole('cell'))).toEqual(['"Type: " / ""', '"Meaning: " / ""'])
  expect(await axeFindings(page, { part: TABLES })).toEqual([])
  await row.scrollIntoViewIfNeeded()
  await keepScreenshot(page, 'table')
  // The second of two columns is clear by itself.
  await open(page, 'guides/errors')
  const cells = page.locator(TABLES).first().getByRole('cell')
  expect(new Set(await labelsOf(cells))).toEqual(new Set(['none']))
})

test('at 1280 px: a short name stays whole', async () => {
  const page = await openPage(service.url, DESKTOP)
  await open(page, 'operations/watch-the-service')
  const name = page.locator(`${TABLES} th > code`).filter({ hasText: /^tiwala_requests_total$/ })
  expect(await name.evaluate((code) => code.getClientRects().length)).toBe(1)
})

test('at 1280 px: no name of a setting and no default breaks, and each link to a required one has its entry', async () => {
  const page = await openPage(service.url, DESKTOP)
  await open(page, 'operations/settings')
  const broken = await page
    .locator('.field-name code, .field-name + .more code')
    .evaluateAll((all) =>
      all.filter((code) => code.getClientRects().length > 1).map((code) => code.textContent),
    )
  expect(broken).toEqual([])
  const required = page.locator('ul:not(.field-list) > li > a', { hasText: 'TIWALA_KEY_RING' }).first()
  await required.click()
  expect(await page.locator('li:target').innerText()).toContain('TIWALA_KEY_RING\n')
})

test('on paper: the rows of a table are rows', async () => {
  const page = await openPage(service.url, DESKTOP)
  await open(page, 'operations/watch-the-service')
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 990 })
  await keepScreenshot(page, 'table-print')
  const row = page.getByRole('row').filter({ hasText: 'tiwala_requests_total' })
  const tops = await row
    .locator('> *')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
  expect(await page.getByRole('columnheader', { name: 'Metric' }).first().isVisible()).toBe(true)
  expect(await wideTables(page)).toEqual([])
})
