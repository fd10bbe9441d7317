// A sandbox on the internet: its default sandbox is for strangers.
import type { Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { expect, test } from 'vitest'
import { json } from '../kit/body-forms.ts'
import { callWorkbench } from '../kit/member.ts'
import { createSandbox } from '../kit/sandbox.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({ TIWALA_PUBLIC_URL: 'https://sandbox.example' })
const url = `http://localhost:${service.config.listeners[0]!.port}`

test('the default sandbox has no administrator token', async () => {
  const bootstrap = (await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as Bootstrap
  expect([bootstrap.operator_token, bootstrap.partner.partner_code]).toEqual([undefined, 'SANDBOX'])
})

test('the inbox page says how to send a test event', async () => {
  const pageOf = async (path: string) => (await fetch(`${url}/sandbox${path}/inbox`)).text()
  const ofAll = await pageOf('')
  expect(ofAll).toContain('/docs/guides/testing#have-a-sandbox-of-your-own')
  expect(ofAll).not.toMatch(/operator_token|member_token|curl/)
  const own = await createSandbox(url)
  expect(await pageOf(`/${own.sandbox_id}`)).toContain(`https://sandbox.example/sandbox/${own.sandbox_id}/`)
})

test('404: the clock of the default sandbox; that of a visitor moves', async () => {
  const advance = { method: 'POST', ...json({ advance_seconds: 1 }) }
  const refused = await fetch(`${url}/sandbox/clock`, advance)
  expect([refused.status, await refused.json()]).toMatchObject([
    404,
    { error: 'not_found', message: expect.stringContaining('POST /sandbox') },
  ])
  const own = await createSandbox(url)
  expect((await own.advance(1)).status).toBe(200)
})

test('422: a callback URL whose server did not show that it expects events', async () => {
  const own = await createSandbox(url)
  const refused = await own.change('PUT', 'callback', { callback_url: 'https://receiver.invalid/events' })
  expect(refused.status).toBe(422)
  expect(refused.body.errors!['callback_url']).toEqual([expect.stringContaining('(host not found)')])
  const statuses = []
  for (let count = 0; count < 6; count++)
    statuses.push((await own.change('PUT', 'callback', { callback_url: 'https://receiver.invalid/' })).status)
  expect(statuses.slice(0, 5).concat(statuses.at(-1)!)).toEqual([422, 422, 422, 422, 422, 429])
  expect((await own.change('PUT', 'callback', { callback_url: null })).status).toBe(200)
  const { headers } = await service.signIn(own.partner.partner_code)
  const { status, body } = await callWorkbench(url, headers)('changeSettings', {
    body: { callback_url: 'https://receiver.example/' },
  })
  expect([status, body.errors]).toEqual([422, { callback_url: ['is set at the page of this sandbox'] }])
})
