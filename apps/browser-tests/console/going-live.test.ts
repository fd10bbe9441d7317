// The report for going live that a partner hands in: an administrator reads, returns and accepts it.
import { createPrivateKey, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OperatorOperations, routes } from '@tiwala/contract'
import operatorDocument from '@tiwala/contract/operator.json' with { type: 'json' }
import { mintKey } from '@tiwala/server/testing'
import { createTransport } from '@tiwala/transport'
import { afterAll, describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { look, openConsoleOf, signInTo } from './console-page.ts'

/** Signs the reports of partners, as the service where they test. */
const { kid, ...reportKey } = mintKey('audit')
const folder = await mkdtemp(join(tmpdir(), 'tiwala-keys-'))
afterAll(() => rm(folder, { recursive: true }))
const keysFile = join(folder, 'keys.json')
await writeFile(
  keysFile,
  JSON.stringify({ keys: [{ kty: reportKey.kty, crv: reportKey.crv, x: reportKey.x, kid, alg: 'EdDSA' }] }),
)
const { url, tokens } = await startServiceForFile({ TIWALA_GOING_LIVE_KEYS_FILE: keysFile })

const operator = createTransport<OperatorOperations>(routes.operator, {
  baseUrl: url + new URL(operatorDocument.servers[0]!.url).pathname,
  headers: { Authorization: `Bearer ${await tokens.operator()}` },
})

/** A report for going live, and the file of it. */
function writeReport(claims: { live_partner_code: string; is_ready: boolean }) {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const content = {
    event: 'report.written',
    sub: 'SBX_HOTEL',
    jti: 'report-1',
    iat: 1_795_000_000,
    checks: [
      {
        check: 'rotation',
        outcome: claims.is_ready ? 'passed' : 'not_seen',
        detail: 'Rotate a secret – once.',
      },
    ],
    ...claims,
  }
  const signed = `${encode({ alg: 'EdDSA', kid, typ: 'tiwala-receipt+jwt' })}.${encode(content)}`
  const key = createPrivateKey({ key: reportKey, format: 'jwk' })
  const receipt = `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
  const buffer = Buffer.from(JSON.stringify({ ...content, receipt }))
  return { receipt, file: { name: 'report.json', mimeType: 'application/json', buffer } }
}

describe.each([
  { ...PHONE, scheme: 'light' as const },
  { ...DESKTOP, scheme: 'dark' as const },
])('at $width px, $scheme', (view) => {
  test('a report for going live is returned, refused if it is altered, and accepted', async () => {
    const code = `LIVE_${view.width}`
    await operator('createPartner', {
      body: {
        partner_code: code,
        name: `Hotel ${code}`,
        purpose: 'To register you.',
        scopes: ['PROFILE_VIEW'],
      },
    })
    const page = await openConsoleOf(url, view, /status of (401|404|422)/)
    await signInTo(url, page, 'administrator')
    await page.goto(`${url}/console/#/partners/${code}`)
    await page.getByText('The partner is not registered for sign-in.').waitFor()
    const decide = async (label: string) => {
      await page.getByRole('button', { name: label, exact: true }).click()
      await page.getByLabel('Reason, for the audit').fill('Ticket 4714')
      if (label === 'Accept') await page.getByLabel(`Type ${code} to confirm`).fill(code)
      await look(page, `report-${label.replace(' ', '-')}`)
      await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
    }
    const receipt = page.getByLabel('Or paste its receipt')

    const unready = writeReport({ live_partner_code: code, is_ready: false })
    const file = page.getByLabel('Choose the report of the partner')
    await file.setInputFiles(unready.file)
    await page.getByText(`SBX_HOTEL is not ready to go live as ${code}.`).waitFor()
    await page.getByText('This page does not verify the report.').waitFor()
    await page.getByRole('cell', { name: 'not seen yet' }).waitFor()
    await page.getByRole('cell', { name: 'Rotate a secret – once.' }).waitFor()
    expect(await receipt.inputValue()).toBe(unready.receipt)
    // A mended report can have the same name.
    expect(await file.inputValue()).toBe('')
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
    await decide('Send back')
    await page.getByText('sent back', { exact: true }).waitFor()

    await receipt.fill('no.report.at all')
    await page.getByText('This is no report that this page can show.').waitFor()
    const ready = writeReport({ live_partner_code: code, is_ready: true })
    const [header, claims] = ready.receipt.split('.')
    await receipt.fill(`${header}.${claims}.${unready.receipt.split('.')[2]}`)
    await page.getByText(`SBX_HOTEL is ready to go live as ${code}.`).waitFor()
    await decide('Accept')
    await page.getByText('report is not genuine').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await receipt.fill(ready.receipt)
    await decide('Accept')
    await page.getByText('accepted', { exact: true }).waitFor()
    const { body } = await operator('readPartner', { path: { partner_code: code } })
    expect(body).toMatchObject({
      status: 'SUSPENDED',
      going_live: {
        status: 'ACCEPTED',
        report_id: 'report-1',
        decided_by: 'administrator@tiwala.example',
        reason: 'Ticket 4714',
      },
    })
    await page.getByRole('button', { name: 'Resume' }).waitFor()
  })

  test('a report for another partner is marked, and the service refuses it', async () => {
    const code = `OTHER_${view.width}`
    await operator('createPartner', {
      body: { partner_code: code, name: `Bank ${code}`, purpose: 'To know you.', scopes: ['PROFILE_VIEW'] },
    })
    const page = await openConsoleOf(url, view, /status of (401|404|422)/)
    await signInTo(url, page, 'administrator')
    await page.goto(`${url}/console/#/partners/${code}`)
    await page.getByLabel('Or paste its receipt').fill(
      JSON.stringify({
        receipt: writeReport({ live_partner_code: 'HOTEL_MABUHAY', is_ready: true }).receipt,
      }),
    )
    await page.getByText('That is another partner.').waitFor()
    await page.getByRole('button', { name: 'Send back', exact: true }).click()
    await page.getByLabel('Reason, for the audit').fill('Ticket 4715')
    await page.getByRole('dialog').getByRole('button', { name: 'Send back', exact: true }).click()
    await page.getByText('report is for another partner').waitFor()
    const { body } = await operator('readPartner', { path: { partner_code: code } })
    expect(body.going_live?.status).toBe('WAITING')
  })
})
