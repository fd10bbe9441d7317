// A partner looks at its figures.
import { routes, type Success } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openView } from '../kit/views.ts'
import { look, workbenchOf } from './workbench-page.ts'

const { url } = await startServiceForFile()
const { open, prepare, signIn } = workbenchOf(url)

describe.each([
  { ...PHONE, scheme: 'light' as const },
  { ...DESKTOP, scheme: 'dark' as const },
])('at $width px, $scheme', (view) => {
  test('charts of requests with a name and a table, error codes that lead to the requests', async () => {
    const { sandbox } = await prepare()
    const page = await open(view)
    await signIn(page, sandbox.sandbox_id, 'viewer')
    await openView(page, 'Figures')
    await page.getByRole('heading', { name: 'Requests', level: 2 }).waitFor()
    const code = page.getByRole('link', { name: 'qr_value_invalid' })
    // Counts are stored every 5 seconds.
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh' }).click()
          return code.count()
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBe(1)
    expect(await page.getByRole('img', { name: /^Requests, .*: Peak: 2 requests per hour/ }).count()).toBe(1)
    await page.getByRole('row', { name: 'qr_value_invalid' }).getByText('100%').waitFor()
    await look(page, 'figures')
    await page.getByText('Table: Requests').click()
    const newest = page.getByRole('table', { name: 'Requests', exact: true }).getByRole('row').nth(1)
    expect(await newest.getByRole('cell').allTextContents()).toEqual([expect.any(String), '1', '1', '0', '0'])
    await look(page, 'figures-table')
    await page.getByRole('link', { name: 'Last 30 days' }).click()
    await expect.poll(() => page.getByRole('img', { name: /^Requests, \D* \d/ }).count()).toBe(1)
    await code.click()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'requestAuthorization' }).waitFor()
  })
})

test.each([PHONE, DESKTOP])(
  'at $width px: answers of citizens that are hidden, the quota, lost requests',
  async (view) => {
    const { sandbox } = await prepare()
    const page = await open(view)
    let newestHour = ''
    await page.route(`**${routes.workbench.readFigures.path}*`, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as Success<'readFigures'>
      body.steps.forEach((step, hour) => {
        Object.assign(step, { succeeded: 900 + 40 * hour, refused: 50, failed: hour % 7, closed: 3 })
        step.deliveries = { delivered: 300 + hour, failed: 20, dead: hour % 3 }
      })
      body.steps[0]!.unlisted = 1_234
      newestHour = body.steps.at(-1)!.starts_at
      const { days } = body.authorizations
      days.forEach((day, index) =>
        Object.assign(day, {
          asked: 60 + index,
          cancelled: 2,
          accepted: 40,
          declined: 8,
          expired: 10 + index,
        }),
      )
      Object.assign(days.at(-1)!, { asked: 42, accepted: 35, declined: null, expired: null })
      body.quota = { per_day: 10_000, days: days.map(({ date }, index) => ({ date, used: 100 * index })) }
      await route.fulfill({ response, json: body })
    })
    await signIn(page, sandbox.sandbox_id, 'viewer')
    await openView(page, 'Figures')
    await page.getByText('1,234 of these requests are not in the list').waitFor()
    await page
      .getByRole('img', { name: /^Daily quota used, .*: Peak: 2,900 requests per day .*Limit: 10,000$/ })
      .waitFor()
    // A day with 29 % of the quota does not look as if it had used all of it.
    const newest = page
      .getByRole('img', { name: /^Daily quota used/ })
      .locator('rect')
      .last()
    expect(await newest.getAttribute('height')).toBe('29')
    // The hours are those of all other times of the page, and not of the service.
    const hour = await page.evaluate(
      (at) =>
        new Date(at).toLocaleString(undefined, {
          month: 'short',
          day: 'numeric',
          hour: 'numeric',
          minute: '2-digit',
        }),
      newestHour,
    )
    await page.getByRole('img', { name: new RegExp(`^Requests, .* to ${hour}: Peak`) }).waitFor()
    await page.getByText('Table: Answers of citizens').click()
    const last = page.getByRole('table', { name: 'Answers of citizens' }).getByRole('row').nth(1)
    expect((await last.getByRole('cell').allTextContents()).slice(1)).toEqual(
      '35 hidden hidden 2 5 42'.split(' '),
    )
    await look(page, 'figures-many')
  },
)
