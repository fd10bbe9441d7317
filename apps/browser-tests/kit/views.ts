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

/** Opens a view by its name, which may have a number of what waits there. A phone folds the names. */
export async function openView(page: Page, view: string): Promise<void> {
  const link = page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${view}( \\d+)?$`) })
  const menu = page.getByText(/^Menu: /)
  await menu.waitFor({ state: 'attached' })
  if (!(await link.isVisible())) await menu.click()
  await link.click()
}
