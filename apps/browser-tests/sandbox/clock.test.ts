// The end of the clock: what the page says, and the way on.
import { expect, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox, storedSandbox } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })
const DAY_SECONDS = 86_400

test('the clock at its end, and secrets that have expired: a new sandbox is the way on', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true, isKeyboardOnly: true })
  const { page, controls, desk } = sandbox
  const move = async (seconds: number) => {
    const { sandbox_id } = await storedSandbox(page)
    const { status } = await fetch(`${url}/sandbox/${sandbox_id}/clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ advance_seconds: seconds }),
    })
    expect(status).toBe(200)
  }
  await move(399 * DAY_SECONDS - 61)
  await page.reload()
  await controls.getByText('400 days in all: 1 day 1 minute are left').waitFor()
  expect(await controls.getByRole('button', { name: '+ 30 days' }).isEnabled()).toBe(false)
  // A program moves the clock meanwhile, so this step is too long.
  await move(62)
  await sandbox.click('+ 1 day')
  await controls.getByText('23 hours 59 minutes are left').waitFor()
  await controls.getByRole('alert').getByText('must be at most 86399').waitFor()
  await move(DAY_SECONDS - 62)
  await page.reload()
  await sandbox.click('+ 1 minute')
  await controls.getByText('yours is at its end').waitFor()
  for (const name of ['+ 1 minute', '+ 30 days'])
    expect(await controls.getByRole('button', { name }).isEnabled()).toBe(false)
  await sandbox.showTool('Errors')
  const row = controls.locator('li', { has: page.getByLabel('Provoke token_expired', { exact: true }) })
  await row.getByText('Your clock is at its end').waitFor()
  expect(await row.getByLabel('Provoke token_expired').isEnabled()).toBe(false)
  await sandbox.click('Provoke validation_failed')
  await controls.getByRole('status').getByText('the secrets of this sandbox have expired').waitFor()
  await sandbox.ask()
  await desk.getByRole('alert').getByText('the secrets of this sandbox have expired').waitFor()
  await sandbox.click('Make a new sandbox', desk)
  await controls.getByText('My clock', { exact: true }).waitFor()
  expect(await page.getByText('is at its end').count()).toBe(0)
  await sandbox.ask()
  await sandbox.answer('Accept')
  await sandbox.profile.waitFor()
})
