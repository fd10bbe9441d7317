// A hostile service, or hostile text stored in it, cannot mislead the person at the terminal.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readIssuer, readSandboxToken } from '../src/connect.ts'
import { createCommand, tiwala } from './tiwala.ts'

/**
 * C0, DEL, C1, bidirectional, zero width, byte order mark, separators, tag, invisible letter, lone surrogate.
 */
const CODES = [
  0x00, 0x07, 0x08, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0x9d, 0xad, 0x61c, 0x3164, 0x200b, 0x200e, 0x200f,
  0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0xe0041, 0xd800,
]
const HOSTILE = `Hotel ${CODES.map((code) => String.fromCodePoint(code)).join('x')} end`
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

const hostile = (names: string[]) => Object.fromEntries(names.map((name) => [name, HOSTILE]))
const ROW = {
  ...hostile(['partner_code', 'name', 'purpose', 'status', 'kind', 'actor', 'detail', 'kid', 'kty']),
  scopes: [HOSTILE],
  [HOSTILE]: {},
}
/** Has every field that a command reads of a response. */
const RESPONSE = {
  ...ROW,
  moved: 0,
  remaining: 0,
  ...hostile([
    'created',
    'replaced',
    'rejected',
    'checked_checkpoints',
    'checked_rows',
    'unsealed_rows',
    'secret',
  ]),
  ...hostile(['webhook_secret', 'previous_until', 'latest_checkpoint']),
  partner: ROW,
  credential: { id: HOSTILE, kind: HOSTILE, expires_at: HOSTILE },
  credentials: hostile([
    'secret_code',
    'secret_token',
    'partner_code',
    'partner_secret',
    'webhook_secret',
    'expires_at',
  ]),
  errors: [{ line: HOSTILE, errors: { [HOSTILE]: [HOSTILE], line: [HOSTILE] } }],
  partners: [ROW],
  events: [ROW],
  keys: [ROW],
  next_checkpoint: null,
  first_fault: { checkpoint: HOSTILE, position: HOSTILE, event: HOSTILE, what: HOSTILE },
}
const ERROR = {
  status: 422,
  message: HOSTILE,
  error: 'validation_failed',
  errors: { [HOSTILE]: [HOSTILE] },
  request_id: HOSTILE,
}

let url: string
let status: number
const server = createServer((_req, res) =>
  res
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(status === 200 ? RESPONSE : ERROR)),
)
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const COMMANDS = [
  ['partner', 'show', 'ANY'],
  ['partner', 'list'],
  ['audit', 'events', '--limit', '1'],
  ['key', 'list'],
  createCommand('ANY'),
  ['credential', 'rotate', 'ANY', '--kind', 'secret_token', '--grace-days', '0'],
  ['webhook-secret', 'rotate', 'ANY', '--grace-days', '0'],
  ['citizen', 'import', '--file', '-'],
  ['key', 'rewrap', '--limit', '1'],
  ['audit', 'verify'],
  ['citizen', 'erase', `ANY\u202E`],
]

const run = (argv: string[], isTTY = false) =>
  tiwala(argv, {
    stdin: '{}\n',
    isTTY,
    env: { TIWALA_OPERATOR_URL: `${url}/operator`, TIWALA_OPERATOR_TOKEN: 'token' },
  })

test.each(COMMANDS.map((argv) => [argv.slice(0, 2).join(' '), argv] as const))(
  '200, 422: %s prints no unsafe character',
  async (_command, argv) => {
    for (status of [200, 422]) {
      for (const format of [[], ['--json']]) {
        const { stdout, stderr } = await run([...argv, ...format], argv.includes('erase'))
        expect(stdout + stderr).not.toBe('')
        expect(UNSAFE.exec(`${stdout}${stderr}`.replaceAll('\n', ''))?.[0].codePointAt(0)).toBeUndefined()
      }
    }
  },
)

test('302: a service cannot name another host that gives the token or the issuer', async () => {
  status = 200
  const redirect = createServer((_req, res) => res.writeHead(302, { Location: url }).end())
  await once(redirect.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(redirect.address() as AddressInfo).port}/operator`
  for (const read of [readSandboxToken, readIssuer])
    await expect(read(address)).rejects.toThrow('fetch failed')
  redirect.close()
})

test('200: the terminal shows the code of such a character, and JSON has the same text', async () => {
  status = 200
  expect((await run(['partner', 'show', 'ANY'])).stdout).toContain(String.raw`\u{1b}x\u{7f}x\u{85}`)
  const { stdout } = await run(['partner', 'show', 'ANY', '--json'])
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(RESPONSE)))
})

test('whoami shows the scopes of both claims, as the service reads them, and skips what is no text', async () => {
  status = 200
  const claims = { scope: 'openid audit:read', scp: ['partners:read', 7, 'audit:read'] }
  const token = `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
  const { stdout } = await tiwala(['whoami', '--json'], {
    env: { TIWALA_OPERATOR_URL: `${url}/operator`, TIWALA_OPERATOR_TOKEN: token },
  })
  expect(JSON.parse(stdout)).toMatchObject({ scopes: ['audit:read', 'openid', 'partners:read'] })
})
