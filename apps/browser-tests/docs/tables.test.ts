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
  await open(page, 'operations/settings')
  const lifetimes = page.locator(TABLES).filter({ hasText: 'TIWALA_QR_TTL_SECONDS' })
  const row = page.getByRole('row').filter({ hasText: 'TIWALA_QR_TTL_SECONDS' })
  const [table, name, value] = await Promise.all(
    [
      lifetimes,
      row.getByRole('rowheader', { name: 'TIWALA_QR_TTL_SECONDS' }),
      row.getByRole('cell', { name: '60', exact: true }),
    ].map((element) => element.boundingBox()),
  )
  expect([name!.width, value!.width, value!.x]).toEqual([table!.width, table!.width, name!.x])
  expect(value!.y).toBeGreaterThanOrEqual(name!.y + name!.height)
  expect(await lifetimes.getByRole('columnheader').allInnerTexts()).toEqual(['Setting', 'Default', 'Meaning'])
  const labelsOf = (cells: Locator) =>
    cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell, '::before').content))
  expect(await labelsOf(row.getByRole('cell'))).toEqual(['"Default: " / ""', '"Meaning: " / ""'])
  expect(await axeFindings(page, { part: TABLES })).toEqual([])
  await row.scrollIntoViewIfNeeded()
  await keepScreenshot(page, 'table')
  // The second of two columns is clear by itself.
  await open(page, 'guides/errors')
  const cells = page.locator(TABLES).first().getByRole('cell')
  expect(new Set(await labelsOf(cells))).toEqual(new Set(['none']))
})

test('at 1280 px: a short value or name stays whole', async () => {
  const page = await openPage(service.url, DESKTOP)
  const linesOf = (text: string) =>
    page
      .locator(`${TABLES} :is(th, td) > code`)
      .filter({ hasText: new RegExp(`^${text}$`) })
      .first()
      .evaluate((code) => code.getClientRects().length)
  await open(page, 'operations/settings')
  expect([await linesOf('127.0.0.1'), await linesOf('DATABASE_URL')]).toEqual([1, 1])
  await open(page, 'operations/watch-the-service')
  expect(await linesOf('tiwala_requests_total')).toBe(1)
})

test('on paper: the rows of a table are rows', async () => {
  const page = await openPage(service.url, DESKTOP)
  await open(page, 'operations/settings')
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 990 })
  await keepScreenshot(page, 'table-print')
  const row = page.getByRole('row').filter({ hasText: 'TIWALA_QR_TTL_SECONDS' })
  const tops = await row
    .locator('> *')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
  expect(await page.getByRole('columnheader', { name: 'Default' }).first().isVisible()).toBe(true)
  expect(await wideTables(page)).toEqual([])
})
