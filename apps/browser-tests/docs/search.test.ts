// Questions with which a partner's developer comes, and the first page that answers.
import { expect, test } from 'vitest'
import { openPage } from '../kit/open-page.ts'
import { keepScreenshot } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'

const service = await startServiceForFile()

/** The addresses of the results, best first. */
async function search(question: string, width = 1280): Promise<string[]> {
  const page = await openPage(service.url, { width })
  await page.goto(`${service.url}/docs`)
  await page.locator('button[data-open-modal]').click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Search' }).fill(question)
  const results = page.locator('.pagefind-ui__result-link')
  await results.first().waitFor()
  await keepScreenshot(page, `search-${question.replaceAll(' ', '-')}`)
  return results.evaluateAll((links) => links.map((link) => link.getAttribute('href')!.replace(/#.*/, '')))
}

test.each([
  ['exchange_code_invalid', '/docs/errors/exchange_code_invalid'],
  ['slow_down', '/docs/errors/slow_down'],
])('the error code %s: its page comes first', async (code, path) => {
  expect((await search(code))[0]).toBe(path)
})

test('an error code is found on a phone', async () => {
  expect((await search('exchange_code_invalid', 375))[0]).toBe('/docs/errors/exchange_code_invalid')
})

test('a field leads to an operation that has it', async () => {
  expect((await search('municipality_code')).some((path) => path.startsWith('/docs/reference/'))).toBe(true)
})

test('the symptom "expired" leads to errors', async () => {
  const found = await search('expired')
  expect(found.filter((path) => path.startsWith('/docs/errors/')).length).toBeGreaterThan(0)
})
