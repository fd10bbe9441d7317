// A partner's server was down for a night: why, and everything is sent again.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@tiwala/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openView } from '../kit/views.ts'
import { createSandbox, look, workbenchOf } from './workbench-page.ts'

const DEAD_LETTERS = 200
/** The sandbox allows 20 changes in a second. */
const CHANGES_PER_SECOND = 18
const { url } = await startServiceForFile()
const { open, signIn } = workbenchOf(url)

/** A sandbox whose partner's server answers with `status`. */
async function prepare() {
  const received = new Set<string>()
  const endpoint = { status: 410, received }
  const server = createServer((req, res) => {
    if (endpoint.status < 300) received.add(String(req.headers['webhook-id']))
    req.resume()
    res.writeHead(endpoint.status).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  const { sandbox_id } = await createSandbox(url)
  const change = async (method: string, name: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method, headers, body: JSON.stringify(body) }
    expect((await fetch(`${url}/sandbox/${sandbox_id}/${name}`, init)).status).toBeLessThan(300)
  }
  const { port } = server.address() as AddressInfo
  await change('PUT', 'callback', { callback_url: `http://localhost:${port}/hook` })
  const send = async (count: number, type = 'authorization.accepted') => {
    for (let sent = 0; sent < count; sent += CHANGES_PER_SECOND) {
      const events = Math.min(CHANGES_PER_SECOND, count - sent)
      const body = { type }
      await Promise.all(Array.from({ length: events }, () => change('POST', 'events', body)))
      await sleep(1_000)
    }
  }
  return { sandboxId: sandbox_id, endpoint, send }
}

describe.each([
  { ...PHONE, scheme: 'light' as const },
  { ...DESKTOP, scheme: 'dark' as const },
])('at $width px, $scheme', (view) => {
  test('a developer finds why deliveries failed, and replays them', async () => {
    const { sandboxId, endpoint, send } = await prepare()
    await send(1)
    const page = await open(view)
    await signIn(page, sandboxId, 'developer')
    await openView(page, 'Events')
    await page.getByText('Your server responded with 410').waitFor()
    // Nothing would be sent now.
    await page.getByText('To replay events, enable the endpoint first.').waitFor()
    expect(await page.getByRole('button', { name: /Replay/ }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await look(page, 'events')
    await page.getByRole('link', { name: 'authorization.accepted' }).click()
    await page.getByText('HTTP 410', { exact: true }).waitFor()
    await page.getByText('To replay events, enable the endpoint first.').waitFor()
    expect(await page.getByRole('button', { name: /Replay/ }).count()).toBe(0)
    await look(page, 'event')
    expect(await page.locator('pre').textContent()).toContain('"type": "authorization.accepted"')

    endpoint.status = 204
    await page.getByRole('link', { name: 'All events' }).click()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Enabled. Replay').waitFor()
    // The button is gone. The next Tab goes on from the card.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SECTION')
    const box = page.getByLabel(/^Select evt_/)
    await page.getByLabel('Select all shown').check()
    expect(await box.isChecked()).toBe(true)
    await page.getByLabel('Select all shown').uncheck()
    await box.check()
    // Is the server back? The selection stays.
    await page.getByRole('combobox', { name: 'Test event' }).selectOption('profile.viewed')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent: profile.viewed.').waitFor()
    await expect.poll(() => endpoint.received.size).toBe(1)
    await page.getByRole('button', { name: 'Replay selected (1)' }).click()
    await page.getByText('Pending again: 1.').waitFor()
    await expect.poll(() => endpoint.received.size).toBe(2)
    expect(await page.getByRole('button', { name: 'Rotate the secret' }).count()).toBe(0)
  })
})

test('an administrator of the partner replays 200 dead letters in one act, and rotates the secret', async () => {
  const { sandboxId, endpoint, send } = await prepare()
  await send(DEAD_LETTERS)
  await send(1, 'authorization.declined')
  const page = await open(DESKTOP)
  await signIn(page, sandboxId, 'admin')
  // The page asks for 500 at once. With fewer, the service answers in several parts, of which the second fails once.
  const cursors: unknown[] = []
  await page.route('**/range-replays', (route) => {
    const given = route.request().postDataJSON() as { cursor?: string }
    cursors.push(given.cursor)
    return cursors.length === 2
      ? route.fulfill({ status: 404, json: {} })
      : route.continue({ postData: JSON.stringify({ ...given, limit: 80 }) })
  })
  await openView(page, 'Events')
  await page.getByText(`${DEAD_LETTERS + 1} given up.`).waitFor()
  endpoint.status = 204
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Enabled. Replay').waitFor()
  await page.getByRole('link', { name: 'Show them' }).click()
  const type = page.getByRole('combobox', { name: 'Type' })
  await type.selectOption('authorization.accepted')
  // The longest type is shown whole.
  expect(await type.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  // The button for more rows is a new one when the filtered list is there.
  await page.getByRole('link', { name: 'authorization.declined' }).waitFor({ state: 'detached' })
  const more = page.getByRole('button', { name: 'Show more' })
  // The read of the second page fails. The button is there for another try, and keeps the focus.
  await page.route(/\?.*cursor=/, (route) => route.fulfill({ status: 404, json: {} }), { times: 1 })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Rows: 40').waitFor({ state: 'attached' })
  expect(await more.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await page.locator('[aria-live] td, [role=status] td').count()).toBe(0)
  await page.getByRole('button', { name: 'Replay all given-up events' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('alert').waitFor()
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Replay all given-up events' }).click()
  // It is shown for five seconds, in which the service in this process sends the events.
  const isSaid = page.getByText(`Pending again: ${DEAD_LETTERS - 80}.`).waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await isSaid
  // It goes on where it had stopped.
  expect(cursors.slice(0, 3)).toEqual([undefined, expect.any(String), cursors[1]])
  // Also those of the page before: none is a dead letter now.
  await page.getByText('No events match.').waitFor()
  await expect.poll(() => endpoint.received.size, { timeout: 30_000 }).toBe(DEAD_LETTERS)

  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  await page.getByText(/whsec_/).waitFor()
  await page.getByText('Events have a signature of the previous secret').waitFor()
  await look(page, 'rotated')
  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  const again = page.getByRole('dialog', { name: 'Rotate the webhook secret again?' })
  await again.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Hide' }).click()
  expect(await page.getByText(/whsec_/).count()).toBe(0)

  // The second part of a selection fails: only that part stays selected.
  await page.goto(`${url}/workbench/#/events`)
  for (let rows = 20; rows <= DEAD_LETTERS; rows += 20) {
    await more.click()
    await page
      .getByRole('status')
      .getByText(`Rows: ${Math.min(rows + 20, DEAD_LETTERS + 1)}`)
      .waitFor({ state: 'attached' })
  }
  await page.getByLabel('Select all shown').check()
  let parts = 0
  await page.route(`**${routes.workbench.replayOwnDeliveries.path}`, (route) => {
    parts++
    return parts === 1 ? route.continue() : route.fulfill({ status: 404, json: {} })
  })
  await page.getByRole('button', { name: `Replay selected (${DEAD_LETTERS + 1})` }).click()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Replay selected (1)' }).waitFor()
})

test('a view whose first read fails offers another try', async () => {
  const { sandboxId } = await prepare()
  const page = await open(DESKTOP)
  await signIn(page, sandboxId, 'admin')
  await page.route(
    `**${routes.workbench.listMembers.path}`,
    (route) => route.fulfill({ status: 404, json: {} }),
    { times: 1 },
  )
  await openView(page, 'Members')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row', { name: 'admin@' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a viewer reads events and changes nothing', async () => {
  const { sandboxId, send } = await prepare()
  await send(1)
  const page = await open(DESKTOP)
  await signIn(page, sandboxId, 'viewer')
  await openView(page, 'Events')
  await page.getByText('Your server responded with 410').waitFor()
  expect(await page.getByRole('button', { name: /Replay|Enable|Send|Rotate/ }).count()).toBe(0)
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await page.getByRole('link', { name: 'authorization.accepted' }).click()
  await page.getByText('HTTP 410', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0)
})
