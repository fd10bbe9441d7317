// An administrator of a partner changes its settings: at once in the sandbox, with a second person where it is asked for.
import { routes, type Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openView } from '../kit/views.ts'
import { look, workbenchOf } from './workbench-page.ts'

const service = await startServiceForFile({ TIWALA_SECOND_PERSON: 'settings' })
const { open, prepare, signIn } = workbenchOf(service.url)

describe.each([
  { ...PHONE, scheme: 'light' as const },
  { ...DESKTOP, scheme: 'dark' as const },
])('at $width px, $scheme', (view) => {
  test('a change that widens access waits, is returned, asked for again and granted', async () => {
    const { sandbox } = await prepare()
    const headers = {
      Authorization: `Bearer ${await service.tokens.operator()}`,
      'Content-Type': 'application/json',
    }
    const urlOf = (id: keyof typeof routes.operator) => sandbox.operator_url + routes.operator[id].path
    const decide = async (id: 'grantApproval' | 'returnApproval', body?: object) => {
      const query = `status=PENDING&partner_code=${sandbox.partner.partner_code}`
      const listed = await fetch(`${urlOf('listApprovals')}?${query}`, { headers })
      const [waiting] = ((await listed.json()) as { approvals: Schemas['Approval'][] }).approvals
      const url = urlOf(id).replace('{approval_id}', waiting!.approval_id)
      const decided = await fetch(url, {
        method: 'POST',
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      expect(decided.status).toBe(200)
    }
    const page = await open(view)
    await signIn(page, sandbox.sandbox_id, 'admin')
    await openView(page, 'Settings')
    const form = page.getByRole('form', { name: 'SSO URL' })
    await form.getByLabel('SSO URL').waitFor()
    expect(await page.getByLabel('Reason').count()).toBe(0)
    await form.getByLabel('SSO URL').fill('https://new.hotel.example/signed-in')
    await form.getByLabel('Reason, for the administrator').fill('Our new servers')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('a change waits').waitFor()
    await page.getByText('SSO URL: an administrator decides').waitFor()
    await page.getByText('Your reason: Our new servers').waitFor()
    // The address in force.
    expect(await form.getByLabel('SSO URL').inputValue()).not.toContain('new.hotel')
    await form.getByText('Asked for: https://new.hotel.example/signed-in').waitFor()
    await page.getByText(/^SSO URL: .+ becomes https:\/\/new\.hotel\.example\/signed-in$/).waitFor()
    await look(page, 'settings-waiting')
    // What citizens see, with the name, the purpose and the items of the partner.
    const previews = page.getByRole('region', { name: 'What citizens see' }).getByRole('article')
    expect(await previews.count()).toBeGreaterThan(1)
    for (const text of await previews.allTextContents()) expect(text).toContain(sandbox.partner.name)
    expect(await previews.nth(0).textContent()).toContain('To register you as a guest')
    expect(await previews.nth(0).getByText('full name', { exact: true }).count()).toBe(1)
    expect(await previews.nth(1).getByText('full name', { exact: true }).count()).toBe(1)
    await decide('returnApproval', { reason: 'Not your host yet' })
    await page.reload()
    await page.getByText('Not your host yet').waitFor()

    await form.getByLabel('SSO URL').fill('https://new.hotel.example/signed-in')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('a change waits').waitFor()
    await decide('grantApproval')
    await page.reload()
    await page.getByText('granted').waitFor()
    expect(await form.getByLabel('SSO URL').inputValue()).toBe('https://new.hotel.example/signed-in')

    // What narrows access applies at once.
    const addresses = page.getByRole('form', { name: 'Allowed addresses' })
    await addresses.getByLabel('Allowed addresses').fill('203.0.113.7\n203.0.113.8')
    await addresses.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Allowed addresses: saved').waitFor()
    expect(await addresses.getByRole('button').evaluate((save) => save === document.activeElement)).toBe(true)
    await addresses.getByLabel('Allowed addresses').fill('')
    await addresses.getByRole('button', { name: 'Save' }).click()
    await page.getByText('a change waits').waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('withdrawn', { exact: true }).waitFor()
    expect(await addresses.getByLabel('Allowed addresses').inputValue()).toContain('203.0.113.8')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE')

    // The error of a form below the first screen is in view.
    const keys = page.getByRole('form', { name: 'Public keys' })
    await keys.getByLabel('Public keys').fill('abc')
    await keys.getByRole('button', { name: 'Save' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Public keys: give a JWK set, or a list of JWKs.').waitFor()
    const topOf = () => alert.evaluate((element) => element.getBoundingClientRect().top)
    await expect.poll(topOf).toBeGreaterThan(-1)
    await expect.poll(topOf).toBeLessThan(800)
    expect(await keys.getByLabel('Public keys').inputValue()).toBe('abc')

    // A wrong value.
    await form.getByLabel('SSO URL').fill('http://hotel.example')
    await form.getByRole('button', { name: 'Save' }).click()
    await alert.getByText('must be an https URL').waitFor()
  })
})

test('a viewer reads the settings, and cannot change them', async () => {
  const { sandbox } = await prepare()
  const page = await open(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'viewer')
  await openView(page, 'Settings')
  await page.getByRole('textbox', { name: /^Callback URL/ }).waitFor()
  expect(await page.getByRole('button', { name: /Save|Withdraw/ }).count()).toBe(0)
  expect(await page.getByRole('textbox', { name: /^Callback URL/ }).getAttribute('readonly')).not.toBeNull()
})

test('of two persons who change a list at once, the second one sees what the first one saved', async () => {
  const { sandbox } = await prepare()
  const pages = [await open(DESKTOP), await open(DESKTOP)] as const
  const forms = []
  for (const page of pages) {
    await signIn(page, sandbox.sandbox_id, 'admin')
    await openView(page, 'Settings')
    const form = page.getByRole('form', { name: 'Allowed addresses' })
    await form.getByLabel('Allowed addresses').waitFor()
    forms.push(form)
  }
  const [first, second] = forms
  await first!.getByLabel('Allowed addresses').fill('203.0.113.7')
  await first!.getByRole('button', { name: 'Save' }).click()
  await pages[0].getByText('Allowed addresses: saved').waitFor()
  await second!.getByLabel('Allowed addresses').fill('203.0.113.8')
  await second!.getByRole('button', { name: 'Save' }).click()
  await pages[1].getByRole('alert').getByText('changed since').waitFor()
  await expect.poll(() => second!.getByLabel('Allowed addresses').inputValue()).toBe('203.0.113.7')
})
