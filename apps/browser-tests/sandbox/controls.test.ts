// Acts 4 to 9: the clock, own citizens, errors, webhooks, snippets and requests.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { verifyWebhook } from '@tiwala/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { copiedText, openSandbox, type SandboxPage, USES } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

describe.each(USES)('$use', (use) => {
  test('a QR code expires by my clock, and the page says why', async () => {
    const sandbox = await openSandbox(url, { ...use, isRefusalExpected: true })
    const shown = sandbox.phone.getByTestId('qr-value')
    await sandbox.show('Phone')
    const before = await shown.textContent()
    await sandbox.show('Controls')
    await sandbox.click('+ 1 minute')
    await sandbox.controls.getByText('My clock: 1 min ahead').waitFor()
    // The phone has a new code, also in a tab of its own.
    await sandbox.show('Phone')
    await expect.poll(() => shown.textContent()).not.toBe(before)
    await sandbox.pause()
    await sandbox.show('Desk')
    await sandbox.open('Or step by step')
    await sandbox.click("Take the phone's value")
    await sandbox.show('Controls')
    await sandbox.controls.getByText('My clock: 1 min ahead').waitFor()
    await sandbox.click('+ 1 minute')
    await sandbox.controls.getByText('My clock: 2 min ahead').waitFor()
    await sandbox.show('Desk')
    await sandbox.click('Request authorization')
    await sandbox.click('Why?', sandbox.desk)
    await sandbox.desk.getByText(/failed: expired \d+ s ago/).waitFor()
  })

  test('a citizen without middle name and passport, who then gives the profile and signs in', async () => {
    const sandbox = await openSandbox(url, use)
    await sandbox.show('Phone')
    await sandbox.open('Create a citizen')
    for (const [label, value] of [
      ['First name', 'Amihan'],
      ['Last name', 'Sulit'],
      ['Birth date', '1999-02-28'],
    ] as const)
      await sandbox.fill(sandbox.phone.getByLabel(label), value)
    await sandbox.click('Create')
    for (const tab of [sandbox.phone.page(), sandbox.desk.page()])
      await expect
        .poll(() =>
          tab
            .getByRole('combobox', { name: /^Citizen/ })
            .locator('option:checked')
            .textContent(),
        )
        .toBe('Amihan Sulit (you answer)')
    await sandbox.pause()
    await sandbox.ask()
    await sandbox.answer('Accept')
    await sandbox.profile.getByRole('heading', { name: 'Amihan Sulit' }).waitFor()
    expect(await sandbox.profile.getByText('middle name').locator('xpath=..').textContent()).toBe(
      'middle namenull',
    )
    await sandbox.show('Phone')
    await sandbox.click(/^Sign in to/)
    await sandbox.click('Exchange the code for the profile')
    await sandbox.page.getByText('This citizen has no passport').waitFor()
  })

  test('an error is provoked, and its page opens', async () => {
    const sandbox = await openSandbox(url, { ...use, isRefusalExpected: true })
    await sandbox.show('Controls')
    await sandbox.open('Provoke each error')
    await sandbox.click('Provoke partner_suspended')
    await sandbox.controls.getByText('The service answered').waitFor()
    await sandbox.pause()
    await sandbox.show('Controls')
    if (use.isReloaded) await sandbox.open('Provoke each error')
    const [page] = await Promise.all([
      sandbox.page.context().waitForEvent('page'),
      sandbox.follow(sandbox.controls.getByRole('link', { name: 'partner_suspended' }).first()),
    ])
    await expect.poll(() => page.url()).toBe(`${url}/docs/errors/partner_suspended`)
  })

  test('a failed request and its failing check in 2 clicks from its request_id', async () => {
    const sandbox = await openSandbox(url, { ...use, isRefusalExpected: true })
    await sandbox.show('Desk')
    await sandbox.open('Or step by step')
    await sandbox.fill(sandbox.desk.getByLabel('QR value'), `TWQ1${'0'.repeat(32)}`)
    await sandbox.click('Request authorization')
    const requestId = await sandbox.desk.getByText(/^req_/).textContent()
    await sandbox.pause()
    await sandbox.show('Requests')
    await sandbox.fill(sandbox.requests.getByLabel('Request ID'), requestId!)
    await sandbox.click('Why?', sandbox.requests)
    await expect.poll(() => sandbox.requests.getByText(/qr_value failed/).count()).toBe(1)
  })

  test('an event arrives with a signature that fits, and is sent again after a refusal', async () => {
    const sandbox = await openSandbox(url, use)
    await sandbox.show('Controls')
    await sandbox.open('Webhooks')
    await sandbox.click('Let the inbox refuse the next delivery')
    await sandbox.controls.getByText('The inbox refuses the next delivery').waitFor()
    await sandbox.click('Send')
    await sandbox.controls.getByText(/attempts: 1, last: HTTP 503/).waitFor()
    await sandbox.pause()
    await sandbox.show('Controls')
    if (use.isReloaded) await sandbox.open('Webhooks')
    await sandbox.click('+ 1 minute')
    await sandbox.controls.getByText(/attempts: 2, last: HTTP 204/).waitFor()
    await expect.poll(() => sandbox.controls.getByText('signature fits, received 2 ×').count()).toBe(1)
  })

  test('what was sent is copied as curl', async () => {
    const sandbox = await openSandbox(url, use)
    await sandbox.ask()
    await sandbox.record.waitFor()
    await sandbox.pause()
    await sandbox.ask()
    await sandbox.record.waitFor()
    expect(await copyAct(sandbox, sandbox.desk, 'curl')).toMatch(/curl [^]*request_authorization/)
  })
})

test('each error is provoked, opens its page, and leaves the sandbox usable', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  await sandbox.open('Provoke each error')
  const buttons = sandbox.page.getByRole('button', { name: /^Provoke / })
  const codes = (
    await buttons.evaluateAll((list) => list.map((button) => button.getAttribute('aria-label')!))
  ).map((label) => label.replace('Provoke ', ''))
  expect(codes.length).toBeGreaterThan(20)
  for (const code of codes) {
    await sandbox.click(`Provoke ${code}`)
    const answer = sandbox.controls.locator('li', {
      has: sandbox.page.getByLabel(`Provoke ${code}`, { exact: true }),
    })
    await answer.getByText('The service answered').waitFor()
    expect(await answer.getByRole('status').getByRole('link').textContent()).toBe(code)
    const href = await answer.getByRole('status').getByRole('link').getAttribute('href')
    expect((await fetch(url + href)).status).toBe(200)
  }
  for (const code of ['internal_error', 'unavailable'])
    await sandbox.controls
      .locator('li', { has: sandbox.page.getByRole('link', { name: code, exact: true }) })
      .getByText('No request provokes it')
      .waitFor()
  await sandbox.ask()
  await sandbox.answer('Accept')
  await sandbox.profile.waitFor()
})

test('events go to my own URL: the signature fits, and a refused one comes again', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  const secret = await sandbox.page.evaluate(
    () =>
      (
        JSON.parse(localStorage.getItem('tiwala-sandbox')!) as {
          sandbox: { partner: { webhook_secret: string } }
        }
      ).sandbox.partner.webhook_secret,
  )
  const received: string[] = []
  const receiver = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const { event } = await verifyWebhook(Buffer.concat(chunks), req.headers, secret)
    received.push(event.type)
    res.writeHead(received.length === 1 ? 500 : 204).end()
  })
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  await sandbox.open('Webhooks')
  await sandbox.page.getByLabel('My own URL').fill('http://192.168.0.1/hook')
  await sandbox.click('Send events to my URL')
  await sandbox.controls.getByRole('alert').getByText('must be an https URL of a public host').waitFor()
  await sandbox.page
    .getByLabel('My own URL')
    .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`)
  await sandbox.click('Send events to my URL')
  await sandbox.page.getByText('Events now go to http://127.0.0.1').waitFor()
  await sandbox.controls.getByRole('combobox').selectOption('authorization.accepted')
  await sandbox.click('Send')
  await sandbox.page.getByText(/attempts: 1, last: HTTP 500/).waitFor()
  await sandbox.click('+ 1 minute')
  await sandbox.page.getByText(/attempts: 2, last: HTTP 204/).waitFor()
  expect(received).toEqual(['authorization.accepted', 'authorization.accepted'])
})

/** The server runs in this process, so nothing may block it. */
const run = promisify(execFile)

/** Runs a program that a visitor copied, unchanged, in an empty folder. */
async function runCopied(text: string, kind: 'curl' | 'code'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tiwala-act-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  if (kind === 'curl') return (await run('bash', ['-c', text], { cwd: folder })).stdout
  const [, install] = /npm (install \S+)/.exec(text) ?? []
  if (install) await run('npm', [...install.split(' '), '--silent'], { cwd: folder })
  writeFileSync(join(folder, 'act.mjs'), text)
  return (await run(process.execPath, ['act.mjs'], { cwd: folder })).stdout
}

async function copyAct({ page, click, open }: SandboxPage, side: SandboxPage['desk'], view: string) {
  if (!(await side.getByRole('button', { name: view, exact: true }).isVisible()))
    await open(/^What was sent/, side)
  await click(view, side)
  await click('Copy', side.locator('.snippet'))
  return copiedText(page)
}

test('an act, copied as curl and as client code, runs unchanged in an empty folder', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  await sandbox.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await sandbox.ask()
  await sandbox.record.waitFor()
  const last4 = await sandbox.record.locator('.last4').textContent()
  const curl = await copyAct(sandbox, sandbox.desk, 'curl')
  expect(await runCopied(curl, 'curl')).toMatch(/200 OK[\s\S]*"tracking_no":"/)
  const code = await copyAct(sandbox, sandbox.desk, 'Client code')
  expect(await runCopied(code, 'code')).toMatch(/state: 'PENDING'/)
  // The copied programs have asked, too.
  await sandbox.click('Accept', sandbox.page.getByRole('article', { name: `Request ${last4}` }))
  await sandbox.profile.waitFor()
  expect(await runCopied(await copyAct(sandbox, sandbox.phone, 'Client code'), 'code')).toMatch(
    /^200 .*ACCEPTED/,
  )
})
