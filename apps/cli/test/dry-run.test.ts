import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
// `--dry-run`, `--watch` and `receipt verify`.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { locate } from '@tiwala/kit/operations'
import { createCitizen, operatorApi } from '@tiwala/kit/users'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createCommand, createPartner, tiwala, tiwalaJson } from './tiwala.ts'

test('--dry-run shows the request, and needs neither a service nor a token', async () => {
  const argv = [...createCommand('DRY_RUN'), '--url', 'http://127.0.0.1:1', '--dry-run']
  const { exitCode, stdout } = await tiwala(argv, { env: {} })
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    0,
    {
      method: 'POST',
      path: locate('createPartner').path,
      query: {},
      body: {
        partner_code: 'DRY_RUN',
        name: 'Partner DRY_RUN',
        purpose: 'To test.',
        scopes: ['PROFILE_VIEW'],
      },
    },
  ])
  const code = await createPartner()
  // It asks for no confirmation, and changes nothing.
  expect((await tiwala(['partner', 'suspend', code, '--reason', 'a b', '--dry-run'])).stdout).toContain(
    `/${code}/suspend`,
  )
  expect(await tiwalaJson('partner', 'show', code)).toMatchObject({ status: 'ACTIVE' })
  expect(await tiwala(['partner', 'show', code, '--dry-run'])).toMatchObject({ exitCode: 2 })
})

test('--watch shows the response again and again, until the service refuses', async () => {
  let requests = 0
  const server = createServer((_req, res) => {
    const status = ++requests < 3 ? 200 : 401
    const body =
      status === 200
        ? { partners: [], next_cursor: null }
        : { status, message: 'no', error: 'token_expired', request_id: 'req_1' }
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { TIWALA_OPERATOR_TOKEN: 'token' }
  const { exitCode, stdout } = await tiwala(['partner', 'list', '--json', '--url', url, '--watch', '1'], {
    env,
  })
  expect([exitCode, requests, stdout.match(/partners/g)?.length]).toEqual([1, 3, 2])
  expect(await tiwala(['partner', 'list', '--url', url, '--watch', '0'], { env })).toMatchObject({
    exitCode: 2,
  })
})

test('receipt verify: a genuine receipt, a changed one, another key, and no receipt', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-receipt-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const uniqid = `RECEIPT-${process.pid}`
  await createCitizen(operatorApi(inject('operatorUrl'), inject('token')), uniqid)
  await tiwala(['citizen', 'erase', uniqid, '--yes'])
  const shown = (await tiwalaJson('erasure', 'show', uniqid)) as { receipt: string; subject: string }
  const [path, keys] = [
    await write('receipt.json', JSON.stringify(shown)),
    await write('keys.json', JSON.stringify(await tiwalaJson('audit', 'keys'))),
  ]
  const genuine = { genuine: true, event: 'citizen.erased', subject: shown.subject }
  expect(await tiwalaJson('receipt', 'verify', path)).toMatchObject(genuine)
  const offline = await tiwala(['receipt', 'verify', '-', '--keys', keys, '--json'], {
    env: {},
    stdin: `${shown.receipt}\n`,
  })
  expect(JSON.parse(offline.stdout)).toMatchObject(genuine)
  await writeFile(keys, `\uFEFF${await readFile(keys, 'utf8')}`, 'utf16le')
  expect(await tiwalaJson('receipt', 'verify', path, '--keys', keys)).toMatchObject(genuine)

  const [header, payload, signature] = shown.receipt.split('.')
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'other' })).toString('base64url')
  const forged = await tiwala(['receipt', 'verify', '-', '--keys', keys], {
    stdin: `${header}.${changed}.${signature}`,
  })
  expect([forged.exitCode, forged.stdout, forged.stderr]).toEqual([4, '', 'The receipt is NOT genuine.\n'])
  const none = await write('none.json', '{"keys": []}')
  expect(await tiwala(['receipt', 'verify', path, '--keys', none])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringMatching(/^No key of/),
  })
  for (const stdin of ['', 'x.y', 'a.b.c', '{"receipt":1}'])
    expect(await tiwala(['receipt', 'verify', '-', '--keys', keys], { stdin })).toMatchObject({ exitCode: 2 })
})

test('receipt verify: a report for going live, with the outcome of each check', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-report-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1' }
  const keys = join(folder, 'keys.json')
  await writeFile(keys, JSON.stringify({ keys: [jwk] }))
  const checks = [{ check: 'states', outcome: 'passed', detail: 'Inquired.' }]
  const claims = { event: 'report.written', sub: 'SBX', live_partner_code: 'HOTEL', is_ready: true, checks }
  const signWith = (header: object) => {
    const signed = [{ alg: 'EdDSA', kid: 'k1', typ: 'tiwala-receipt+jwt', ...header }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
  }
  const receipt = signWith({})
  const path = join(folder, 'report.json')
  await writeFile(path, JSON.stringify({ is_ready: false, receipt }))
  // What the file says beside its receipt does not count.
  expect(await tiwalaJson('receipt', 'verify', path, '--keys', keys)).toMatchObject({
    genuine: true,
    live_partner_code: 'HOTEL',
    is_ready: true,
    checks,
  })
  const table = await tiwala(['receipt', 'verify', path, '--keys', keys])
  expect(table.stdout).toMatch(/^checks\.states +passed$/m)
  for (const header of [{ typ: 'at+jwt' }, { alg: 'none' }]) {
    const other = await tiwala(['receipt', 'verify', '-', '--keys', keys], { stdin: signWith(header) })
    expect([other.exitCode, other.stderr]).toEqual([4, 'The receipt is NOT genuine.\n'])
  }
})
