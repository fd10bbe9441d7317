// A partner rotates a secret while its servers send requests.
import { setTimeout as sleep } from 'node:timers/promises'
import { createPartnerClient } from '@tiwala/client'
import { routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { DESKTOP, openUnwatchedPage, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openView } from '../kit/views.ts'
import { look, workbenchOf } from './workbench-page.ts'

const { url } = await startServiceForFile()
const { open, prepare, signIn } = workbenchOf(url)

describe.each([
  { ...PHONE, scheme: 'light' as const },
  { ...DESKTOP, scheme: 'dark' as const },
])('at $width px, $scheme', (view) => {
  test('an administrator rotates a secret under traffic, and no request fails', async () => {
    const { sandbox } = await prepare()
    const { secret_code: secretCode, secret_token } = sandbox.partner
    const server = { secretToken: secret_token }
    const outcomes: string[] = []
    let isRunning = true
    const send = async () => {
      while (isRunning) {
        const { secretToken } = server
        const client = createPartnerClient({ baseUrl: url, secretCode, secretToken, maxRetries: 0 })
        outcomes.push(await client.whoAmI().then(() => 'ok', String))
        await sleep(20)
      }
    }
    const traffic = send()

    const page = await open(view)
    await signIn(page, sandbox.sandbox_id, 'admin')
    await openView(page, 'Credentials')
    await page.getByRole('cell', { name: 'active' }).first().waitFor()
    await page.getByRole('button', { name: 'Rotate' }).click()
    const shown = page.getByRole('region', { name: 'New API secret (X-Secret-Token)' }).locator('code')
    const secret = (await shown.textContent())!
    expect(secret).toMatch(/^twt_test_\w{49}$/)
    await page.getByRole('status').getByText('Rotated: API secret (X-Secret-Token)').waitFor()
    await page.getByText('superseded').waitFor()
    expect(await page.getByRole('row', { name: 'superseded' }).textContent()).toMatch(/ends .+, in 7 days/)
    await look(page, 'credentials')
    server.secretToken = secret
    const sent = outcomes.length
    await expect.poll(() => outcomes.length).toBeGreaterThan(sent + 3)

    // The previous secret is no longer needed.
    await page.getByRole('row', { name: 'superseded' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('revoked', { exact: true }).waitFor()
    // The button is gone. The next Tab goes on from the table.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TABLE')
    const revokedAt = outcomes.length
    await expect.poll(() => outcomes.length).toBeGreaterThan(revokedAt + 3)
    isRunning = false
    await traffic
    expect([...new Set(outcomes)]).toEqual(['ok'])

    await page.getByRole('button', { name: 'Rotate' }).click()
    await expect.poll(() => shown.textContent()).not.toBe(secret)
    // A third rotation would end the first of them at once, also with a grace period.
    const second = await shown.textContent()
    await page.getByText('superseded').waitFor()
    await page.getByRole('button', { name: 'Rotate' }).click()
    const again = page.getByRole('dialog', { name: 'Rotate the API secret (X-Secret-Token) again?' })
    await again.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    // Each kind has a box of its own until the person hides it.
    await page.getByRole('combobox', { name: 'Secret', exact: true }).selectOption('partner_secret')
    await page.getByRole('button', { name: 'Rotate' }).click()
    await page
      .getByRole('region', { name: 'New Sign-in secret (partner_secret)' })
      .getByText(/^tws_test_/)
      .waitFor()
    expect(await shown.textContent()).toBe(second)
    await page.getByRole('button', { name: 'Hide' }).last().click()
    await expect.poll(() => page.getByText(/^tws_test_/).count()).toBe(0)

    // The secret is shown once.
    await page.reload()
    await page.getByText('revoked').waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
  })
})

test('a new secret stays until it is hidden, also if the view changes before the response', async () => {
  const { sandbox } = await prepare()
  const page = await open(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'admin')
  const show = async (view: string) => {
    await openView(page, view)
    await page.getByRole('heading', { name: view, level: 1 }).waitFor()
  }
  await show('Credentials')
  await page.getByRole('button', { name: 'Rotate' }).click()
  const secret = page.getByRole('region', { name: 'New API secret (X-Secret-Token)' }).locator('code')
  const first = await secret.textContent()
  await page.getByRole('main').getByRole('link', { name: 'Events' }).click()
  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  const webhookSecret = page.getByText(/^whsec_/)
  const second = await webhookSecret.textContent()
  await show('Credentials')
  expect(await secret.textContent()).toBe(first)
  await show('Events')
  expect(await webhookSecret.textContent()).toBe(second)

  await show('Credentials')
  const isSlow = Promise.withResolvers<void>()
  await page.route(`**${routes.workbench.rotateOwnCredential.path}`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await isSlow.promise
    return route.fulfill({ response })
  })
  await page.getByRole('combobox', { name: 'Secret', exact: true }).selectOption('partner_secret')
  const isSent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Rotate' }).click()
  await isSent
  await show('Requests')
  isSlow.resolve()
  await page.getByText('Rotated: Sign-in secret (partner_secret)').waitFor()
  await show('Credentials')
  await page.getByText(/^tws_test_/).waitFor()
  expect(await secret.textContent()).toBe(first)
  await page.getByRole('button', { name: 'Hide' }).first().click()
  await show('Events')
  await show('Credentials')
  await page.getByText(/^tws_test_/).waitFor()
  expect(await secret.count()).toBe(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await page.getByText(/^tws_test_/).count()).toBe(0)
})

test('a lost response: for 9 minutes, Rotate shows the same secret without a question', async () => {
  const { sandbox } = await prepare()
  // Chromium reports the lost response.
  const page = await openUnwatchedPage(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'admin')
  await openView(page, 'Credentials')
  let isLost = true
  const sent: string[] = []
  await page.route(`**${routes.workbench.rotateOwnCredential.path}`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.push((await route.request().headerValue('Idempotency-Key'))!)
    if (sent.length === 2) return route.fulfill({ status: 429, json: { error: 'rate_limited' } })
    if (!isLost) return route.continue()
    isLost = false
    await route.fetch()
    return route.abort()
  })
  const rotate = page.getByRole('button', { name: 'Rotate' })
  await rotate.click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('row', { name: 'superseded' }).waitFor()
  // The first repetition gets 429.
  await rotate.click()
  await expect.poll(() => sent.length).toBe(2)
  await rotate.click()
  const secret = page.getByText(/^twt_test_/)
  await secret.waitFor()
  expect(new Set(sent).size).toBe(1)
  expect(await page.getByRole('row', { name: 'API secret' }).count()).toBe(2)

  // The service no longer keeps the response: the same request rotates again.
  await page.getByRole('combobox', { name: 'Secret', exact: true }).selectOption('partner_secret')
  isLost = true
  await rotate.click()
  await page.getByRole('alert').waitFor()
  await page.clock.setFixedTime(Date.now() + 11 * 60_000)
  await rotate.click()
  await page.getByRole('dialog', { name: 'again?' }).getByRole('button', { name: 'Rotate' }).click()
  await page.getByText(/^tws_test_/).waitFor()
  expect(sent[4]).not.toBe(sent[3])
  await expect.poll(() => page.getByRole('row', { name: 'Sign-in secret' }).count()).toBe(3)

  // Its response was lost, but a later rotation ended its secret.
  isLost = true
  await rotate.click()
  await page.getByRole('dialog', { name: 'again?' }).getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('alert').waitFor()
  const grace = page.getByLabel('The old secret works for, in days')
  await grace.fill('0')
  await rotate.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  await expect.poll(() => sent.length).toBe(7)
  await grace.fill('7')
  await rotate.click()
  await expect.poll(() => sent.length).toBe(8)
  expect(new Set(sent.slice(4)).size).toBe(4)
})

test('a viewer sees the secrets of the partner, and no way to change them', async () => {
  const { sandbox } = await prepare()
  const page = await open(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'viewer')
  await openView(page, 'Credentials')
  await page.getByRole('cell', { name: 'active' }).first().waitFor()
  expect(await page.getByRole('button', { name: /Rotate|Revoke/ }).count()).toBe(0)
})
