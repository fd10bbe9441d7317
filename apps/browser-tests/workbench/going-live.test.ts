// A developer checks the integration: first without traffic, then after a server of the partner did all of the list.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createPartnerClient, type TiwalaError, verifyWebhook } from '@tiwala/client'
import { routes, type Schemas } from '@tiwala/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openView } from '../kit/views.ts'
import { createSandbox, look, workbenchOf } from './workbench-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '1' })
const { open, signIn } = workbenchOf(url)
const JSON_TYPE = { 'Content-Type': 'application/json' }

async function prepare() {
  const sandbox = await createSandbox(url)
  const { partner, sandbox_id, citizen_url, clock_url } = sandbox
  const receiver = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const isValid = await verifyWebhook(Buffer.concat(chunks), req.headers, partner.webhook_secret).then(
      () => true,
      () => false,
    )
    res.writeHead(isValid ? 204 : 401).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  const post = async (
    address: string,
    body: object,
    headers: Record<string, string> = {},
    method: 'POST' | 'PUT' = 'POST',
  ) => {
    const response = await fetch(address, {
      method,
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    })
    expect([address, response.status < 300]).toEqual([address, true])
    return (await response.json()) as unknown
  }
  const clientOf = (secretToken: string) =>
    createPartnerClient({ baseUrl: url, secretCode: partner.secret_code, secretToken, maxRetries: 0 })
  const profiles = clientOf(partner.secret_token)
  const citizenOf = (behavior: string) => {
    const bearer = {
      Authorization: `Bearer ${sandbox.citizens.find((each) => each.behavior === behavior)!.token}`,
    }
    const app = (id: keyof (typeof routes)['citizen-app'], body: object, trackingNo = '') =>
      post(citizen_url + routes['citizen-app'][id].path.replace('{tracking_no}', trackingNo), body, bearer)
    const ask = async () => {
      const { qr_value } = (await app('issueQrCode', { purpose: 'inquire' })) as Schemas['QrCode']
      return (await profiles.requestAuthorization(qr_value)).record.tracking_no
    }
    const untilTold = async (trackingNo: string, state: string) => {
      const read = async () => (await profiles.inquire(trackingNo).catch(() => undefined))?.state
      await expect.poll(read, { interval: 1_100 }).toBe(state)
    }
    return { app, ask, untilTold }
  }

  /** Everything of the list. */
  const useService = async () => {
    const { port } = receiver.address() as AddressInfo
    const callback = { callback_url: `http://localhost:${port}/hook` }
    await post(`${url}/sandbox/${sandbox_id}/callback`, callback, {}, 'PUT')
    const [accepting, declining, ignoring] = ['accepts', 'declines', 'ignores'].map(citizenOf)
    const accepted = await accepting!.ask()
    await accepting!.untilTold(accepted, 'ACCEPTED')
    await accepting!.app('revokeAuthorization', {}, accepted)
    await accepting!.untilTold(accepted, 'REVOKED')
    await declining!.untilTold(await declining!.ask(), 'DECLINED')
    const ignored = await ignoring!.ask()
    await ignoring!.untilTold(ignored, 'PENDING')
    await post(clock_url, { advance_seconds: 3_600 })
    await ignoring!.untilTold(ignored, 'EXPIRED')
    const rejected = await profiles.inquire('unknown').catch((error: unknown) => error as TiwalaError)
    await expect
      .poll(async () => (await fetch(sandbox.requests_url)).text())
      .toContain('tracking_no_not_found')
    await profiles.diagnose((rejected as TiwalaError).requestId!)
    const rotation = routes.operator.rotateCredential.path.replace('{partner_code}', partner.partner_code)
    const bearer = { Authorization: `Bearer ${sandbox.operator_token}` }
    const rotated = await post(
      sandbox.operator_url + rotation,
      { kind: 'secret_token', grace_days: 1 },
      bearer,
    )
    await clientOf((rotated as { secret: string }).secret).whoAmI()
  }
  return { sandbox, useService }
}

describe.each([
  { ...PHONE, scheme: 'light' as const },
  { ...DESKTOP, scheme: 'dark' as const },
])('at $width px, $scheme', (view) => {
  test('a developer sees what is missing, does it, and downloads the report', async () => {
    const { sandbox, useService } = await prepare()
    const page = await open(view)
    await signIn(page, sandbox.sandbox_id, 'developer')
    await openView(page, 'Going live')
    await page.getByLabel('Your partner code in the live service').fill('HOTEL_MABUHAY')
    const check = () => page.getByRole('button', { name: 'Check' }).click()
    await check()
    await page.getByText('Not ready.').waitFor()
    await page.getByText('Rotate a secret, and send a request with the new one.').waitFor()
    await look(page, 'going-live-not-ready')

    await useService()
    await expect
      .poll(async () => {
        await check()
        await page.getByRole('button', { name: 'Check', exact: true }).waitFor()
        return page.getByText(/^(passed|not used)$/).count()
      })
      .toBe(7)
    await page.getByText('Ready. Send the report').waitFor()
    await look(page, 'going-live-ready')
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the report' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('going-live-HOTEL_MABUHAY.json')
    const report = (await json(await download.createReadStream())) as Schemas['GoingLiveReport']
    expect(report).toMatchObject({ is_ready: true, live_partner_code: 'HOTEL_MABUHAY' })
  })
})
