import type { Page } from 'playwright-core'

/** Shows the fields of the filters, which a phone folds. */
export async function openFilters(page: Page): Promise<void> {
  const filters = page.getByRole('form', { name: 'Filters' })
  await filters.waitFor()
  const folded = filters.locator('details:not([open]) > summary')
  if (await folded.count()) await folded.click()
}

/** Reads the list with the filters. */
export async function showFiltered(page: Page): Promise<void> {
  await openFilters(page)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
}
