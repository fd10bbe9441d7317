// The pages that the server writes itself, and the weight of what all pages take their look from.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { minify, transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import { openPage, PHONE } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot, pageGzipBytes, sidewaysScrolling } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'

const MAX_LOOK_GZIP_BYTES = 15_000
const MAX_PAGE_GZIP_BYTES = 15_000
const PAGES = {
  start: '/',
  downloads: '/downloads/',
  inbox: '/sandbox/inbox',
  'signed-in': '/sandbox/signed-in?exchange_code=x',
}

const service = await startServiceForFile()

test('the look of all pages weighs at most 15 KB', async () => {
  const folder = join(import.meta.dirname, '../../../packages/ui')
  // Views and the lock, which two pages share, are part of the weight of these pages.
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => /^(src|styles)\/.+\.(css|tsx?)$/.test(name) && !/views\/|with-lock/.test(name),
  )
  /** As a page loads it: scripts minified, styles as they are written. */
  const load = async (name: string) => {
    const text = await readFile(join(folder, name), 'utf8')
    if (name.endsWith('.css')) return text
    const { code } = await transformWithOxc(text, name)
    return (await minify(name, code, { module: true })).code
  }
  const contents = await Promise.all(files.map(load))
  expect(files.length).toBeGreaterThan(3)
  expect(gzipSync(contents.join('')).length).toBeLessThan(MAX_LOOK_GZIP_BYTES)
})

test.each(Object.entries(PAGES))(
  '%s: no finding of axe, no sideways scrolling, at two widths, light and dark',
  async (name, path) => {
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [375, 1280]) {
        const page = await openPage(service.url, { width, scheme })
        await page.goto(service.url + path)
        const findings = [...(await axeFindings(page)), ...(await sidewaysScrolling(page))]
        expect([width, scheme, findings]).toEqual([width, scheme, []])
        expect(await pageGzipBytes(page)).toBeLessThan(MAX_PAGE_GZIP_BYTES)
        await keepScreenshot(page, `own-${name}`, true)
      }
  },
)

test('the inbox says in words whether a signature is valid, opens what was received, and shows new events', async () => {
  const post = async (state: string) => {
    const posted = await fetch(`${service.url}/sandbox/inbox`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        type: 'webhook.test',
        data: { state, text: '<b>bold</b><script>alert(1)</script>' },
      }),
    })
    await posted.text()
  }
  await post('ACCEPTED')
  const page = await openPage(service.url, PHONE)
  await page.goto(`${service.url}/sandbox/inbox`)
  const summary = page.locator('summary').filter({ hasText: 'ACCEPTED' })
  expect(await summary.innerText()).toMatch(/webhook\.test\s+ACCEPTED\s+Wrong signature/)
  await summary.click()
  const body = page.locator('details[open] pre')
  expect(await body.innerText()).toContain('<b>bold</b><script>alert(1)</script>')
  await post('DECLINED')
  await page.locator('summary').filter({ hasText: 'DECLINED' }).waitFor()
  // What is open stays open, and keeps the focus.
  expect(await body.isVisible()).toBe(true)
  expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true)
  expect([...(await axeFindings(page)), ...(await sidewaysScrolling(page))]).toEqual([])
  await keepScreenshot(page, 'own-inbox-open', true)
})

test('without JavaScript, the first page leads to the sandbox, and to the first guide', async () => {
  const page = await openPage(service.url, { ...PHONE, javaScript: false })
  await page.goto(service.url)
  for (const [name, path] of [
    [/try it in the sandbox/i, '/sandbox/'],
    [/get a first profile/i, '/docs/guides/first-profile'],
  ] as const)
    expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(path)
})
