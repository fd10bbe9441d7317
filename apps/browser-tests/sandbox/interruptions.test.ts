// Act 11 and bad input: the service stops, a sandbox ends, the sandbox is full, the page is reloaded.
import { setTimeout } from 'node:timers/promises'
import { routes } from '@tiwala/contract'
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { DESKTOP, openUnwatchedPage, PHONE } from '../kit/open-page.ts'
import { startServiceForFile, startServiceForTest } from '../kit/service.ts'
import { openSandbox, storedSandbox, USES } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_SANDBOXES: '6', TIWALA_SANDBOXES_PER_ADDRESS: '6' })

describe.each(USES)('$use', (use) => {
  test('the service stops in the middle of each act: the page says so, and goes on afterwards', async () => {
    // When it starts over, requests for the old sandbox that are on their way are refused.
    const sandbox = await openSandbox(url, { ...use, isStopExpected: true, isRefusalExpected: true })
    /**
     * The act fails, and shows its error in `place`. It succeeds later: it is tried again, or done again
     * after a reload.
     */
    const interrupt = async (place: Locator, act: () => Promise<void>) => {
      const context = sandbox.page.context()
      await context.setOffline(true)
      await act()
      await place.getByText('The service does not answer.').last().waitFor()
      await context.setOffline(false)
      await sandbox.pause()
      if (use.isReloaded) await act()
      else await sandbox.follow(place.getByRole('button', { name: 'Try again' }).last())
    }
    await interrupt(sandbox.desk, sandbox.ask)
    await sandbox.record.waitFor()
    // The desk can show the record before the phone shows the request.
    await sandbox.show('Phone')
    await sandbox.request.waitFor()
    await interrupt(sandbox.request, async () => {
      await sandbox.show('Phone')
      await sandbox.click('Accept')
    })
    await sandbox.show('Desk')
    await sandbox.profile.waitFor()
    await interrupt(sandbox.controls, async () => {
      await sandbox.show('Controls')
      await sandbox.click('+ 1 minute')
    })
    await sandbox.controls.getByText('My clock: 1 minute ahead').waitFor()
    // The phone also shows the errors of its polls, which go away by themselves.
    const signInError = sandbox.phone.locator('p:has(button:has-text("Sign in to")) + .error')
    await interrupt(signInError, async () => {
      await sandbox.show('Phone')
      await sandbox.click(/^Sign in to/)
    })
    await sandbox.page.getByText(/^http.*exchange_code=twx_/).waitFor()
    await sandbox.click('Start over with a new one')
    await sandbox.show('Phone')
    await sandbox.page.getByTestId('qr-value').waitFor()
    expect(await sandbox.page.getByText('The service does not answer.').count()).toBe(0)
  })
})

test('a read of the phone fails: it shows the request without another event', async () => {
  const own = await startServiceForTest()
  const sandbox = await openSandbox(own.url, { view: DESKTOP, isStopExpected: true })
  const { page, request } = sandbox
  const list = `**${routes['citizen-app'].listAuthorizations.path}?*`
  let failures = 0
  await page.route(list, (route) => {
    failures++
    return route.fulfill({ status: 503, json: {} })
  })
  await sandbox.ask()
  await expect.poll(() => failures).toBeGreaterThan(0)
  // The event is over.
  await setTimeout(1_000)
  await page.unroute(list)
  await request.waitFor({ timeout: 10_000 })
})

test('a reload before the desk has the response: the record is there afterwards', async () => {
  const sandbox = await openSandbox(url, { view: PHONE })
  const { page } = sandbox
  const isAsked = new Promise<void>((resolve) => {
    void page.route(url + routes.partner.requestAuthorization.path, async (route) => {
      await route.fetch()
      resolve()
    })
  })
  await sandbox.ask()
  await isAsked
  await page.reload()
  await sandbox.answer('Accept')
  await sandbox.profile.waitFor()
  expect(await sandbox.record.count()).toBe(1)
})

test('a sandbox that has ended: one click makes a new one', async () => {
  const sandbox = await openSandbox(url, { view: PHONE, isRefusalExpected: true })
  await sandbox.page.evaluate(async () => {
    const { sandbox: own } = JSON.parse(localStorage.getItem('tiwala-sandbox')!) as {
      sandbox: { sandbox_id: string }
    }
    await fetch(`/sandbox/${own.sandbox_id}`, { method: 'DELETE' })
  })
  await sandbox.page.reload()
  await sandbox.page.getByText('This sandbox has ended.').waitFor()
  await sandbox.click('Make a new one')
  await sandbox.page.getByTestId('qr-value').waitFor()
  expect(await sandbox.page.getByText('This sandbox has ended.').count()).toBe(0)
})

test('too many new visitors of one address in a second: the page waits, and tries again', async () => {
  const many = await startServiceForTest({ TIWALA_SANDBOXES: '100', TIWALA_SANDBOXES_PER_ADDRESS: '100' })
  const make = () => fetch(`${many.url}/sandbox`, { method: 'POST' })
  const page = await openUnwatchedPage(PHONE)
  let refusals = 0
  page.on('response', (response) => (refusals += Number(response.status() === 429)))
  // The address has made as many sandboxes as it can within this second.
  await page.route(`${many.url}/sandbox`, async (route) => {
    for (let status = 0; refusals === 0 && status !== 429;) ({ status } = await make())
    await route.continue()
  })
  // When the second ends just before the request of the page, it is not refused.
  while (refusals === 0) {
    await page.goto(`${many.url}/sandbox/`)
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    await page.getByTestId('qr-value').or(tryAgain).first().waitFor()
    expect(await tryAgain.count()).toBe(0)
    await page.evaluate(() => localStorage.clear())
  }
})

test('a full sandbox: the page says so, and offers another try', async () => {
  const made: string[] = []
  for (let isFull = false; !isFull;) {
    const response = await fetch(`${url}/sandbox`, { method: 'POST' })
    const { sandbox_id, message } = (await response.json()) as { sandbox_id?: string; message?: string }
    if (sandbox_id) made.push(sandbox_id)
    isFull = message?.includes('6 sandboxes') ?? false
    // An address can send only a few of these requests in a second.
    if (!sandbox_id) await setTimeout(1_000)
  }
  const page = await openUnwatchedPage(PHONE)
  await page.goto(`${url}/sandbox/`)
  await page.getByText('6 sandboxes').waitFor()
  await fetch(`${url}/sandbox/${made[0]}`, { method: 'DELETE' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByTestId('qr-value').waitFor()
  expect(await page.getByText('6 sandboxes').count()).toBe(0)
  // It is full again: the visitor's own sandbox makes room for the new one.
  const stored = () => page.evaluate(() => localStorage.getItem('tiwala-sandbox'))
  const before = await stored()
  await page.getByRole('button', { name: /^Start over/ }).click()
  await expect.poll(stored).not.toBe(before)
  await page.getByTestId('qr-value').waitFor()
})

test('a move of the clock without a clear response is neither done twice nor taken for done', async () => {
  const own = await startServiceForTest()
  const sandbox = await openSandbox(own.url, { view: DESKTOP, isStopExpected: true })
  const { page, controls } = sandbox
  const address = `${own.url}/sandbox/${(await storedSandbox(page)).sandbox_id}`
  const clock = `${address}/clock`
  let moves = 0
  let isReadable = true
  await page.route(address, (route) => (isReadable ? route.fallback() : route.abort()))
  await page.route(clock, async (route) => {
    moves++
    await route.fetch()
    await route.abort()
  })
  await sandbox.click('+ 5 minutes')
  await controls.getByText('My clock: 5 minutes ahead').waitFor()
  expect([moves, await controls.getByRole('alert').count()]).toEqual([1, 0])
  // A proxy gives up while the service moves the clock, and then the page cannot read the clock either.
  await page.route(clock, async (route) => {
    moves++
    await route.fetch()
    isReadable = false
    await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway Timeout</h1>' })
  })
  await sandbox.click('+ 5 minutes')
  await controls.getByText('unexpected_answer').waitFor()
  await sandbox.click('Try again', controls)
  await controls.getByText('The service does not answer.').waitFor()
  isReadable = true
  await sandbox.click('Try again', controls)
  await controls.getByText('My clock: 10 minutes ahead').waitFor()
  await expect.poll(() => controls.getByRole('alert').count()).toBe(0)
  expect(moves).toBe(2)
  // A program moves the clock further than the move that the service does not get.
  await page.unroute(clock)
  await page.route(clock, (route) => route.abort(), { times: 1 })
  await fetch(clock, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ advance_seconds: 3_600 }),
  })
  await sandbox.click('+ 5 minutes')
  await controls.getByText('The service does not answer.').waitFor()
  await controls.getByText('My clock: 1 hour 10 minutes ahead').waitFor()
  await sandbox.click('Try again', controls)
  await controls.getByText('My clock: 1 hour 15 minutes ahead').waitFor()
})

test('a cancellation without a response is tried again; its error ends with the request', async () => {
  const own = await startServiceForTest()
  const sandbox = await openSandbox(own.url, { view: DESKTOP, isStopExpected: true })
  const { page, record } = sandbox
  const cancellations = own.url + routes.partner.cancelAuthorization.path.replace('{tracking_no}', '*')
  const failToCancel = async () => {
    await sandbox.ask()
    await record.getByText('PENDING').waitFor()
    await page.route(cancellations, (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
    )
    await sandbox.click('Cancel the request')
    await record.getByText('The service does not answer.').waitFor()
    await page.unroute(cancellations)
  }
  await failToCancel()
  await sandbox.click('Try again', record)
  await record.getByText('CANCELLED').waitFor()
  await failToCancel()
  await sandbox.answer('Accept')
  await sandbox.profile.waitFor()
  expect(await record.getByRole('alert').count()).toBe(0)
})
