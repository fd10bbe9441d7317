// Runs every snippet of the client's README.md against a real server.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  createPartnerClient,
  type Schemas,
  TiwalaConnectionError,
  type TiwalaError,
  verifyWebhook,
} from '@tiwala/client'
import { freePort } from '@tiwala/server/testing'
import { expect, test, vi } from 'vitest'
import { openProgramFolder } from '../kit/program-folder.ts'
import { headersWith, SECRET, sign } from '../kit/signed-event.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const README = await readFile(join(import.meta.dirname, '../../../../packages/client/README.md'), 'utf8')
const SNIPPETS = [...README.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code!)

const service = await startServiceForFile()
const partner = await service.partner()
const citizen = await service.citizen()
const ENVIRONMENT = {
  TIWALA_SECRET_CODE: partner.credentials.secret_code,
  TIWALA_SECRET_TOKEN: partner.credentials.secret_token,
  TIWALA_PARTNER_CODE: partner.credentials.partner_code,
  TIWALA_PARTNER_SECRET: partner.credentials.partner_secret,
  TIWALA_WEBHOOK_SECRET: SECRET,
}

const programs = await openProgramFolder()

const used = new Set<string>()

/** Writes the snippet that contains a text to a file, with the addresses of this test. */
async function write(holding: string, port = 0, around = (code: string) => code): Promise<string> {
  const code = SNIPPETS.find((snippet) => snippet.includes(holding) && !used.has(snippet))!
  used.add(code)
  const here = code
    .replace('http://localhost:8080', service.url)
    .replace(/(localhost:|listen\()3000/, `$1${port}`)
  return programs.write(`snippet-${used.size}.ts`, around(here))
}

/** The exports of the snippet that contains a text. */
async function load<Exports>(holding: string, port = 0): Promise<Exports> {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value)
  const exports = (await import(await write(holding, port))) as Exports
  vi.unstubAllEnvs()
  return exports
}

/** Runs a snippet without imports, which uses the values of the ones before it. Returns what it printed. */
async function runFragment(holding: string, values: Record<string, unknown>): Promise<unknown[]> {
  const names = Object.keys(values).join(', ')
  const file = await write(holding, 0, (code) => `export async function run({ ${names} }) {\n${code}\n}\n`)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { run } = (await import(file)) as { run: (given: typeof values) => Promise<void> }
  await run(values)
  const printed = log.mock.calls.flat()
  log.mockRestore()
  return printed
}

const tiwala = createPartnerClient({
  baseUrl: service.url,
  secretCode: partner.credentials.secret_code,
  secretToken: partner.credentials.secret_token,
})

test('get a profile with consent', async () => {
  const { getProfile } = await load<{ getProfile: (qr: string) => Promise<Schemas['Profile'] | null> }>(
    'function getProfile',
  )
  const qrValue = await citizen.showQr()
  const getting = getProfile(qrValue)
  const pending = async () => (await citizen.app('listAuthorizations', {})).body.authorizations[0]
  await expect.poll(pending).toBeDefined()
  await citizen.accept((await pending())!.tracking_no)
  expect((await getting)?.uniqid).toBe(citizen.uniqid)
})

test('inquire once, get a shared profile, withdraw a request, list records, test the credentials', async () => {
  const { record } = await tiwala.requestAuthorization(await citizen.showQr())
  const values = { tiwala, trackingNo: record.tracking_no, qrValue: await citizen.showQr('share') }
  await citizen.accept(record.tracking_no)
  expect(await runFragment('tiwala.inquire(', values)).toEqual([citizen.profile.first_name])
  expect(await runFragment('tiwala.profileByQr(', values)).toEqual([citizen.profile.first_name])
  expect(await runFragment('tiwala.whoAmI(', values)).toHaveLength(2)
  expect(await runFragment('withResponse()', values)).toEqual([expect.any(String), 200, expect.any(String)])
  const other = await tiwala.requestAuthorization(await citizen.showQr())
  expect(await runFragment('tiwala.listRecords(', values)).toEqual([1, null])
  await runFragment('tiwala.cancelAuthorization(', { tiwala, trackingNo: other.record.tracking_no })
  expect((await tiwala.inquire(other.record.tracking_no)).state).toBe('CANCELLED')
})

test('sign a citizen in, and explain a refusal', async () => {
  const { getSignedInCitizen } = await load<{
    getSignedInCitizen: (code: string) => Promise<Schemas['SsoProfile'] | null>
  }>('function getSignedInCitizen')
  const code = await citizen.exchangeCode(partner.code)
  expect((await getSignedInCitizen(code))?.uniqid).toBe(citizen.uniqid)
  expect(await getSignedInCitizen(code)).toBeNull()

  const { explainRefusal } = await load<{
    explainRefusal: (error: TiwalaError) => Promise<string | undefined>
  }>('function explainRefusal')
  const error = await refusal(partner.sso.signIn(code))
  await expect.poll(() => explainRefusal(error).catch(() => '')).toMatch(/^exchange_code: used \d+ s ago$/)
})

test('advice for an error', async () => {
  const { adviceFor } = await load<{ adviceFor: (error: unknown) => string }>('function adviceFor')
  const error = await refusal(tiwala.requestAuthorization('junk'))
  const lost = new TiwalaConnectionError('timeout', service.url, true, undefined)
  expect([adviceFor(error), adviceFor(lost)]).toEqual([
    'Please show a new QR code.',
    'We cannot reach the service. Please wait.',
  ])
})

test('log requests', async () => {
  const { tiwala: logging } = await load<{ tiwala: typeof tiwala }>('onResponse')
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await logging.whoAmI()
  expect(log.mock.calls.map(([operation, attempt, status]) => [operation, attempt, status])).toEqual([
    ['readPartnerSelf', 1, 200],
  ])
  log.mockRestore()
})

test.each([
  ['Express', "from 'express'"],
  ['node:http', "from 'node:http'"],
])('receive events with %s', async (_what, holding) => {
  const port = await freePort()
  const output = programs.run(await write(holding, port), ENVIRONMENT)
  const body = JSON.stringify({
    type: 'authorization.accepted',
    timestamp: '2026-11-20T08:00:00.000Z',
    data: { tracking_no: '0'.repeat(26), state: 'ACCEPTED', scope: 'PROFILE_INQUIRE' },
  })
  const sentAt = Math.floor(Date.now() / 1000)
  const post = async (signature: string, type = 'application/json') => {
    const headers = { 'Content-Type': type, ...headersWith(signature, sentAt) }
    const url = `http://127.0.0.1:${port}/tiwala/events`
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  await expect.poll(() => post(sign(body, SECRET, sentAt)).catch(() => 0)).toBe(204)
  await expect.poll(output).toMatch(/authorization\.accepted|Inquire about/)
  expect(await post('v1,AAAA')).toBe(400)
  expect(await post('v1,AAAA', 'text/plain')).toBe(400)
})

test('a signed event for the test of a callback URL', async () => {
  const received: string[] = []
  const server = createServer(async (req, res) => {
    const { event } = await verifyWebhook(await buffer(req), req.headers, SECRET)
    received.push(event.type)
    res.writeHead(204).end()
  })
  await once(server.listen(0, 'localhost'), 'listening')
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await load('signTestEvent', (server.address() as AddressInfo).port)
  expect([received, log.mock.calls]).toEqual([['authorization.accepted'], [[204]]])
  log.mockRestore()
  server.close()
})

test('no snippet is left out', () => expect(SNIPPETS.filter((snippet) => !used.has(snippet))).toEqual([]))
