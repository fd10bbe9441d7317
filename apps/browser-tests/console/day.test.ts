// An operator's day at the console: sign in, look at a partner, suspend it, and resume it.
import { createPartnerClient, type TiwalaError } from '@tiwala/client'
import {
  type CitizenAppOperations,
  type OperatorOperations,
  routes,
  type WorkbenchOperations,
} from '@tiwala/contract'
import operatorDocument from '@tiwala/contract/operator.json' with { type: 'json' }
import workbenchDocument from '@tiwala/contract/workbench.json' with { type: 'json' }
import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import { createTransport } from '@tiwala/transport'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DESKTOP, PHONE, type View } from '../kit/open-page.ts'
import { pageGzipBytes } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openFilters, openView, showFiltered } from '../kit/views.ts'
import { hasCommand, look, openConsoleOf, signInTo } from './console-page.ts'

const MAX_GZIP_BYTES = 90 * 1024
const PARTNER = 'SANDBOX'
const service = await startServiceForFile({
  TIWALA_SECOND_PERSON: 'settings',
  TIWALA_BACKUP_FILES: 'base:/nowhere/base.done',
})
const { url, tokens } = service

const openConsole = (view: View, expected?: RegExp) => openConsoleOf(url, view, expected)
const signIn = (page: Page, person: string) => signInTo(url, page, person)
const open = async (page: Page, view: string) => {
  await openView(page, view)
  // The view before can have fields of the same names.
  await page.getByRole('heading', { name: view, level: 1 }).waitFor()
}

/** Calls as the CLI does. */
const operator = createTransport<OperatorOperations>(routes.operator, {
  baseUrl: url + new URL(operatorDocument.servers[0]!.url).pathname,
  headers: { Authorization: `Bearer ${await tokens.operator()}` },
})
const hasFocus = (of: Locator) => of.evaluate((element) => element.contains(document.activeElement))
const statusOfPartner = async () =>
  (await operator('readPartner', { path: { partner_code: PARTNER } })).body.status

test('at most 90 KB gzip, and one click from the start page of the sandbox', async () => {
  const page = await openConsole(PHONE)
  await page.goto(url)
  await page.getByRole('link', { name: 'Console of the administrator' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await pageGzipBytes(page)).toBeLessThan(MAX_GZIP_BYTES)
})

describe.each([
  { ...PHONE, scheme: 'light' as const },
  { ...DESKTOP, scheme: 'dark' as const },
])('at $width px, $scheme', (view) => {
  test('an administrator suspends a partner with a reason, and resumes it', async () => {
    const page = await openConsole(view)
    await page.goto(`${url}/console/`)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await look(page, 'signed-out')
    await signIn(page, 'administrator')
    await openFilters(page)
    await page.getByLabel('Code or name').fill('sandbox')
    await showFiltered(page)
    await expect.poll(() => page.url()).toContain('q=sandbox')
    // A reader with a keyboard goes on from here. A phone shows the list instead of the fields.
    const isPhone = view.width === PHONE.width
    expect(
      await hasFocus(
        isPhone ? page.getByText('Filters: 1') : page.getByRole('button', { name: 'Show', exact: true }),
      ),
    ).toBe(true)
    await look(page, 'partners')
    await page.getByRole('row', { name: PARTNER }).getByRole('link').click()
    for (const title of ['Secrets', 'Purposes', 'Callback', 'Members'])
      await page.getByRole('heading', { name: title }).waitFor()
    await page.getByRole('cell', { name: 'admin@sandbox.example' }).waitFor()
    await page.getByRole('cell', { name: 'API secret' }).first().waitFor()
    // The secrets of this sandbox end in the year 9999.
    const ends = page.getByRole('row', { name: 'API secret' }).first().getByRole('cell').nth(2)
    expect(await ends.textContent()).toBe('never')
    // The parts of the name are read as one.
    const items = await page.getByRole('row', { name: 'check-in' }).getByRole('cell').nth(1).textContent()
    expect(items).toMatch(/^full name, (?!.*(first|middle|last) name)/)
    await look(page, 'partner')

    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog', { name: 'Suspend Mabuhay Hotels Incorporated' }).waitFor()
    await page.getByLabel('Type SANDBOX to confirm').fill(PARTNER)
    // Without a reason, nothing happens.
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click({ force: true })
    await page.getByLabel('Reason, for the audit').fill("Ticket 4711: the partner's server was broken into")
    await page.getByLabel('Type SANDBOX to confirm').fill('sandbox')
    await page.getByText('Not the same yet: capitals count.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click({ force: true })
    await page.getByRole('dialog').getByText('In the terminal').click()
    await page
      .getByText(
        `tiwala partner suspend SANDBOX --reason 'Ticket 4711: the partner'\\''s server was broken into'`,
      )
      .waitFor()
    await look(page, 'suspend')
    expect(await statusOfPartner()).toBe('ACTIVE')
    await page.getByLabel('Type SANDBOX to confirm').fill(PARTNER)
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('status').getByText('Suspended.').waitFor()
    await page.getByText('suspended', { exact: true }).waitFor()
    const { body } = await operator('listAuditEvents', { query: { kind: 'partner.suspended' } })
    expect(body.events[0]).toMatchObject({
      actor: 'administrator@tiwala.example',
      reason: "Ticket 4711: the partner's server was broken into",
    })
    await page.getByRole('button', { name: 'Resume' }).click()
    // What was done before is not said behind the dialog.
    expect(await page.getByText('Suspended.').count()).toBe(0)
    await page.getByLabel('Reason, for the audit').fill('Ticket 4711 is closed')
    await page.getByLabel('Type SANDBOX to confirm').fill(PARTNER)
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
    await page.getByText('active', { exact: true }).first().waitFor()
    expect(await statusOfPartner()).toBe('ACTIVE')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })
})

/** A partner of the test's own, with a request that was refused and two changes that wait, and a citizen of it. */
async function prepare() {
  const sandbox = (await (await fetch(`${url}/sandbox`, { method: 'POST' })).json()) as CreatedSandbox
  const { secret_code: secretCode, secret_token: secretToken, partner_code: code } = sandbox.partner
  const profiles = createPartnerClient({ baseUrl: url, secretCode, secretToken, maxRetries: 0 })
  const refused = await profiles
    .requestAuthorization(`TWQ1${'0'.repeat(32)}`)
    .catch((error: unknown) => error as TiwalaError)
  const citizen = sandbox.citizens[1]!
  const app = createTransport<CitizenAppOperations>(routes['citizen-app'], {
    baseUrl: sandbox.citizen_url,
    headers: { Authorization: `Bearer ${citizen.token}` },
  })
  const { body: qr } = await app('issueQrCode', { body: { purpose: 'share' } })
  await profiles.profileByQr(qr.qr_value)
  const { body: history } = await app('listDisclosures', { query: { limit: 1 } })
  await app('disputeDisclosure', { path: { disclosure_id: history.disclosures[0]!.id } })
  await operator('testCallback', { path: { partner_code: code } })
  const { headers } = await service.signIn(code)
  const member = createTransport<WorkbenchOperations>(routes.workbench, {
    baseUrl: url + new URL(workbenchDocument.servers[0]!.url).pathname,
    headers,
  })
  await member('changeSettings', {
    body: { sso_url: 'https://new.example/sso' },
    query: { reason: 'New servers' },
  })
  await member('changeSettings', { body: { redirect_uris: ['https://new.example/back'] } })
  const { requestId } = refused as TiwalaError
  return { code, name: sandbox.partner.name, requestId: requestId!, citizen: citizen.uniqid }
}

describe.each([
  { ...PHONE, scheme: 'dark' as const },
  { ...DESKTOP, scheme: 'light' as const },
])('at $width px, $scheme', (view) => {
  test('from a partner to the cause of its refused request, its events, and the audit', async () => {
    const { code, name, requestId, citizen } = await prepare()
    const page = await openConsole(view, /status of (401|404|422)/)
    await signIn(page, 'administrator')
    const show = () => showFiltered(page)

    await page.goto(`${url}/console/#/partners/${code}`)
    await page.getByRole('link', { name: 'What it uses' }).click()
    await expect
      .poll(
        async () => {
          await show()
          return page.getByRole('link', { name: 'profileByQr' }).count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    await hasCommand(page, `tiwala use list --partner-code ${code}`)
    await look(page, 'use')
    await page.getByRole('link', { name: 'profileByQr' }).click()
    await hasCommand(page, 'tiwala use list --kind operation --name profileByQr')
    expect(await page.getByLabel('Name').inputValue()).toBe('profileByQr')
    await page.getByRole('row', { name: code }).waitFor()

    await page.goto(`${url}/console/#/partners/${code}`)
    await page.getByRole('link', { name: 'Its rejected requests' }).click()
    await expect
      .poll(async () => {
        await show()
        return page.getByRole('link', { name: 'requestAuthorization' }).count()
      })
      .toBe(1)
    await look(page, 'refusals')
    await page.goBack()
    await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor()
    // The service stores the figures every few seconds.
    await expect
      .poll(
        async () => {
          await page.reload()
          await page.getByRole('heading', { name: 'Limits per minute' }).waitFor()
          return page.getByRole('link', { name: 'qr_value_invalid' }).count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    await look(page, 'partner-figures')
    await page.getByRole('link', { name: 'qr_value_invalid' }).click()
    await expect.poll(() => page.url()).toContain(`partner_code=${code}&error=qr_value_invalid`)
    await page.getByRole('link', { name: 'requestAuthorization' }).click()
    await page.getByText('The check qr_value failed').waitFor()
    expect(await page.getByText(requestId).count()).toBe(2)
    await look(page, 'refusal')

    const anomalyId = `ano_${code.padEnd(22, '0').replaceAll('_', '0').slice(-22)}`
    await sql`
      insert into anomaly (anomaly_id, partner_id, kind, expected, threshold, observed, address_ranges, action)
      select ${anomalyId}, id, 'rate', 120, 481, 1340, '{}', 'slow'
        from partner where partner_code = ${code}`.execute(service.db)
    await open(page, 'Alarms')
    await openFilters(page)
    await page.getByLabel('Partner code').fill(code)
    await page.getByLabel('State').selectOption('open')
    await show()
    // Until the filtered list arrives, those of other partners are shown, too.
    await expect.poll(() => page.getByText('usually 120, alarm from 481').count()).toBe(1)
    await page.getByText('11 times the usual').waitFor()
    await look(page, 'alarms')
    // What another administrator did is there after the list is read again.
    await sql`update anomaly set action = null where anomaly_id = ${anomalyId}`.execute(service.db)
    await show()
    await expect.poll(() => page.getByText('limits quartered').count()).toBe(0)
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByLabel('Reason, for the audit').fill('Ticket 4716')
    expect(await page.getByLabel('to confirm').count()).toBe(0)
    await look(page, 'alarm-acknowledge')
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('Acknowledged by administrator@tiwala.example: Ticket 4716').waitFor()

    await open(page, 'Approvals')
    await openFilters(page)
    await page.getByLabel('Partner code').fill(code)
    await show()
    await expect.poll(() => page.getByRole('row', { name: 'Redirect URIs' }).count()).toBe(1)
    await look(page, 'approvals')
    for (const [setting, act, status] of [
      ['SSO URL', 'Grant', 'granted'],
      ['Redirect URIs', 'Send back', 'sent back'],
    ] as const) {
      // The email of the member who asked cannot be read.
      const members = `**${routes.operator.listPartnerMembers.path.replace('{partner_code}', code)}`
      await page.route(members, (route) => route.fulfill({ status: 404, json: {} }), { times: 1 })
      await page.getByRole('link', { name: setting }).click()
      await page.getByText('https://new.example/').waitFor()
      await page.getByRole('button', { name: act }).click()
      await page.getByLabel('Reason, for the audit and the partner').fill('Ticket 4713')
      if (act === 'Grant') {
        await page.getByLabel(`Type ${code} to confirm`).fill(code)
        const change = page.getByRole('dialog', { name: `Grant: A change of ${name}` })
        await change.getByText('https://new.example/sso').waitFor()
      }
      await look(page, `approval-${status.replace(' ', '-')}`)
      await page.getByRole('dialog').getByRole('button', { name: act }).click()
      await page.getByText(status, { exact: true }).waitFor()
      await page.getByText('Ticket 4713').waitFor()
      await page.goBack()
    }
    const { body } = await operator('readPartner', { path: { partner_code: code } })
    expect(body.sso_url).toBe('https://new.example/sso')

    await open(page, 'Deliveries')
    await page.getByRole('cell', { name: 'webhook.test' }).first().waitFor()
    await page.getByText('Send given-up events again').click()
    const resend = page.getByRole('form', { name: 'Send given-up events again' })
    await resend.getByLabel('Event').selectOption('webhook.test')
    await resend.getByLabel('From').fill('2026-11-01T10:00')
    await resend.getByRole('button').click()
    const whole = /given-up webhook\.test events of all partners from Nov 1, 2026, 10:00\sAM again\?$/
    await page.getByRole('dialog', { name: whole }).getByRole('button', { name: 'Cancel' }).click()
    await resend.getByLabel('Event').selectOption('')
    await resend.getByLabel('From').fill('')
    await resend.getByLabel('Partner code').fill(code)
    await page.getByText(`tiwala dead-letter replay --partner-code ${code}`).waitFor()
    const send = page.getByRole('button', { name: 'Send again' })
    await send.click()
    const question = page.getByRole('dialog', { name: `Send all given-up events of ${code} again?` })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect(await page.getByText('No given-up events match.').count()).toBe(0)
    await send.click()
    await question.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('No given-up events match.').waitFor()
    await look(page, 'deliveries')

    await open(page, 'Disputes')
    const dispute = page.getByRole('row', { name: code })
    await dispute.getByText('today', { exact: true }).waitFor()
    await dispute.getByText('by QR code, ').waitFor()
    await look(page, 'disputes')

    await open(page, 'Citizens')
    await page.getByLabel('Identifier').fill(citizen)
    await page.getByLabel('Why you look, for the audit').fill('Ticket 4711')
    // A slow look-up is not taken for that of the next identifier.
    const isSlow = Promise.withResolvers<void>()
    await page.route(`**/citizens/${citizen}?*`, async (route) => {
      await isSlow.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByLabel('Identifier').fill('CTZ-OTHER')
    await page.getByRole('button', { name: 'Open' }).click({ force: true })
    await page.locator('.toast.warn', { hasText: 'Another action is still running.' }).waitFor()
    isSlow.resolve()
    await page.getByText('not frozen, 0 blocked partners').waitFor()
    await page.getByLabel('Identifier').fill(citizen)
    expect(await page.getByRole('definition').first().textContent()).toBe(citizen)
    await page.getByRole('row', { name: code }).getByText('by QR code').waitFor()
    await hasCommand(page, `tiwala citizen show ${citizen} --reason 'Ticket 4711'`)
    expect(page.url()).not.toContain(citizen)
    await look(page, 'citizen-open')
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByLabel('Reason, for the audit').fill('Ticket 4712')
    await page.getByLabel(`Type ${citizen} to confirm`).fill(citizen)
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('button', { name: 'Copy the receipt' }).waitFor()
    await hasCommand(page, `tiwala erasure show ${citizen}`)
    expect(page.url()).not.toContain(citizen)
    await look(page, 'citizen')
    await page.getByRole('button', { name: 'Open' }).click()
    await hasCommand(page, `tiwala erasure show ${citizen}`)
    await page.getByLabel('Identifier').fill('CTZ-UNKNOWN')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('The service has no citizen with this identifier.').waitFor()
    expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0)
    // Nothing of the one before stays beside an error.
    await page.getByLabel('Identifier').fill('two words')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByText('The service has no citizen').count()).toBe(0)

    await open(page, 'Audit')
    await openFilters(page)
    await page.getByLabel('Kind').fill('citizen.erased')
    await show()
    await page.getByText('Reason: Ticket 4712').first().waitFor()
    await page.getByRole('button', { name: 'Verify the audit' }).click()
    await page.getByText('no fault').waitFor()
    await look(page, 'audit')

    await open(page, 'Keys')
    await page.getByText('key-encryption').first().waitFor()
    await page.getByText('1 of 1').first().waitFor()
    await page.getByText('citizens need the current keys only').waitFor()
    expect(await page.getByText('The rings of the processes differ').count()).toBe(0)
    await look(page, 'keys')
    // Another process lacks all keys but one, which this one lacks.
    const other = `prc_${code}`
    await sql`
      insert into process select ${other}, version, contract, schema, node, started_at, clock_timestamp() + interval '1 hour', null, null,
             '[{"purpose": "pepper", "kid": "kid-of-the-other", "is_current": true}]'
        from process limit 1`.execute(service.db)
    onTestFinished(() => void sql`delete from process where process_id = ${other}`.execute(service.db))
    await page.reload()
    await page.getByText('The rings of the processes differ').waitFor()
    await page.getByText(new RegExp(`^Process ${other} lacks \\d+ keys$`)).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: other })
      .getByText(/^key-encryption/)
      .waitFor()
    await page.getByText(/^Process prc_\S+ lacks 1 key$/).click()
    await page.getByText('pepper kid-of-the-other', { exact: true }).waitFor()
    await page.getByText(/The current key of pepper is .* and kid-of-the-other at prc_/).waitFor()
    await page.getByRole('row', { name: 'kid-of-the-other' }).getByText('current at 1 of 2').waitFor()
    await look(page, 'keys-differ')
    await sql`delete from process where process_id = ${other}`.execute(service.db)

    await open(page, 'Fleet')
    await page.getByText('running').waitFor()
    await page.getByText('The service cannot see the file.').waitFor()
    await look(page, 'fleet')

    await open(page, 'People')
    await page
      .getByText(/read, write: [a-z, ]*partners/)
      .first()
      .waitFor()
    await look(page, 'people')
    await page.getByRole('link', { name: /What they did.*administrator@tiwala/ }).click()
    await expect.poll(() => page.getByLabel('Actor').inputValue()).toBe('administrator@tiwala.example')
    await hasCommand(page, 'tiwala audit events --actor administrator@tiwala.example')
    await page.getByText('Reason: Ticket 4712').first().waitFor()
    await openFilters(page)
    await page.getByLabel('Actor').fill('someone else')
    await show()
    await page.getByText('No events match.').waitFor()
  })
})

test('with the keyboard alone: the dialog keeps the focus, Escape gives it back, and Enter acts', async () => {
  const { code } = await prepare()
  const page = await openConsole(DESKTOP)
  await signIn(page, 'administrator')
  await page.goto(`${url}/console/#/partners/${code}`)
  const suspend = page.getByRole('button', { name: 'Suspend' })
  const dialog = page.getByRole('dialog', { name: 'Suspend' })
  await suspend.focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  for (let presses = 0; presses < 4; presses++) {
    expect(await hasFocus(dialog)).toBe(true)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Escape')
  // A closed dialog stays in the page until its event `close`, and until then the button opens no other.
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  expect(await hasFocus(suspend)).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Ticket 4717')
  await page.keyboard.press('Tab')
  await page.keyboard.type(code)
  // While the act runs, nothing closes the dialog.
  const isSlow = Promise.withResolvers<void>()
  await page.route(`**/${code}/suspend?*`, async (route) => {
    await isSlow.promise
    await route.continue()
  })
  const isSent = page.waitForRequest(`**/${code}/suspend?*`)
  await page.keyboard.press('Enter')
  await isSent
  for (const key of ['Escape', 'Escape', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true })
  expect(await dialog.isVisible()).toBe(true)
  isSlow.resolve()
  await page.getByRole('status').getByText('Suspended.').waitFor()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  expect(await hasFocus(page.getByRole('button', { name: 'Resume' }))).toBe(true)
  await openView(page, 'Partners')
  await page.getByRole('heading', { name: 'Partners' }).waitFor()
  expect(await page.getByText('Suspended.').count()).toBe(0)
})

test('after a resumption, the page names partners with the same name', async () => {
  const { code } = await prepare()
  await operator('suspendPartner', { path: { partner_code: code } })
  const page = await openConsole(PHONE)
  await signIn(page, 'administrator')
  await page.goto(`${url}/console/#/partners/${code}`)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByLabel('Reason, for the audit').fill('Ticket 4718')
  await page.getByLabel(`Type ${code} to confirm`).fill(code)
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  const warning = page.getByText('A citizen could take its name for that of another partner')
  await warning.waitFor()
  await look(page, 'similar-names')
  await warning.getByRole('link', { name: PARTNER, exact: true }).click()
  await page.locator('dd code').getByText(PARTNER, { exact: true }).waitFor()
  expect(await warning.count()).toBe(0)
})
