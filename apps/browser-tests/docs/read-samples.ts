import type { Page } from 'playwright-core'

/** A code sample of a page. A sample with a file name is a file. */
export type Sample = { fileName: string; language: string; code: string }

/** Every code sample of the open page, as its copy button puts it into the clipboard. */
export async function copySamples(page: Page): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const figure of await page.locator('main .expressive-code').all()) {
    await figure.locator('.copy button').click()
    const code = await page.evaluate(() => navigator.clipboard.readText())
    const language = (await figure.locator('pre').getAttribute('data-language')) ?? ''
    const title = figure.locator('figcaption .title')
    const fileName = (await title.count()) ? await title.innerText() : ''
    samples.push({ fileName, language, code })
  }
  return samples
}
