// A partner's server was down for a night: why, and everything is sent again.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
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
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByText('Your server responded with 410').waitFor()
    await look(page, 'events')
    await page.getByRole('link', { name: 'authorization.accepted' }).click()
    await page.getByText('HTTP 410', { exact: true }).waitFor()
    await look(page, 'event')
    expect(await page.locator('pre').textContent()).toContain('"type":"authorization.accepted"')

    endpoint.status = 204
    await page.getByRole('link', { name: 'All events' }).click()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('Enabled. Replay').waitFor()
    const box = page.getByLabel(/^Select evt_/)
    await page.getByLabel('Select all shown').check()
    expect(await box.isChecked()).toBe(true)
    await page.getByLabel('Select all shown').uncheck()
    await box.check()
    await page.getByRole('button', { name: 'Replay selected (1)' }).click()
    await page.getByText('Sent again: 1.').waitFor()
    await expect.poll(() => endpoint.received.size).toBe(1)

    await page.getByRole('combobox', { name: 'Test event' }).selectOption('profile.viewed')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent: profile.viewed.').waitFor()
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
  // The page asks for 500 at once. With fewer, the service answers in several parts.
  await page.route('**/range-replays', (route) =>
    route.continue({
      postData: JSON.stringify({ ...(route.request().postDataJSON() as object), limit: 80 }),
    }),
  )
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByText(`${DEAD_LETTERS + 1} given up.`).waitFor()
  endpoint.status = 204
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Enabled. Replay').waitFor()
  await page.getByRole('link', { name: 'Show them' }).click()
  await page.getByRole('combobox', { name: 'Type' }).selectOption('authorization.accepted')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('button', { name: 'Replay all given-up events' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(`Sent again: ${DEAD_LETTERS}.`).waitFor()
  // Also those of the page before: none is a dead letter now.
  await page.getByText('No event fits.').waitFor()
  await expect.poll(() => endpoint.received.size, { timeout: 30_000 }).toBe(DEAD_LETTERS)

  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  await page.getByText(/whsec_/).waitFor()
  await page.getByText('Events have a signature of the previous secret').waitFor()
  await look(page, 'rotated')
  await page.getByRole('button', { name: 'Hide' }).click()
  expect(await page.getByText(/whsec_/).count()).toBe(0)
})

test('a viewer reads events and changes nothing', async () => {
  const { sandboxId, send } = await prepare()
  await send(1)
  const page = await open(DESKTOP)
  await signIn(page, sandboxId, 'viewer')
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByText('Your server responded with 410').waitFor()
  expect(await page.getByRole('button', { name: /Replay|Enable|Send|Rotate/ }).count()).toBe(0)
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await page.getByRole('link', { name: 'authorization.accepted' }).click()
  await page.getByText('HTTP 410', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0)
})
