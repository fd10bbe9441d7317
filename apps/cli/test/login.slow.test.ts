// `tiwala login` by the device flow, and the contexts that it makes.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { refuse, tokenOfContext } from '../src/context-token.ts'
import { findContext, removeContext, storeContext } from '../src/contexts.ts'
import { formatError } from '../src/format-error.ts'
import type { Io } from '../src/io.ts'
import { tiwala } from './tiwala.ts'

const folder = await mkdtemp(join(tmpdir(), 'tiwala-login-'))
const path = join(folder, 'tiwala', 'contexts.json')
const provider = {
  issuer: '',
  forms: [] as URLSearchParams[],
  /** What the token endpoint answers, one after another. */
  responses: [] as [status: number, body: object][],
  onRefresh: (): unknown => undefined,
}
const server = createServer(async (req, res) => {
  const respond = (status: number, body: object) =>
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  if (req.url === '/.well-known/openid-configuration')
    return respond(200, {
      issuer: provider.issuer,
      device_authorization_endpoint: `${provider.issuer}/device`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/jwks`,
    })
  if (req.url?.startsWith('/missing')) return respond(404, {})
  provider.forms.push(new URLSearchParams(await text(req)))
  if (provider.forms.at(-1)!.has('refresh_token')) await provider.onRefresh()
  if (req.url === '/token') return respond(...provider.responses.shift()!)
  return respond(200, {
    device_code: 'device',
    user_code: 'ABCD-EFGH',
    verification_uri: `${provider.issuer}/verify`,
    expires_in: 60,
    interval: 1,
  })
})
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => void Object.assign(provider, { forms: [], responses: [], onRefresh: () => {} }))

const granted = (access_token: string, expires_in = 300, refresh_token = 'refresh-1'): [number, object] => [
  200,
  { access_token, token_type: 'Bearer', expires_in, refresh_token },
]
const command = (...argv: string[]) => tiwala(argv, { env: { XDG_CONFIG_HOME: folder } })
const signIn = (...argv: string[]) =>
  command('login', '--issuer', provider.issuer, '--url', inject('operatorUrl'), ...argv)
type Stored = { contexts: Record<string, { tokens: object; url: string }> }
const readStored = async () => JSON.parse(await readFile(path, 'utf8')) as Stored

test('login waits for the person, and keeps the tokens for this user only', async () => {
  provider.responses = [[400, { error: 'authorization_pending' }], granted(inject('token'))]
  const { exitCode, stdout, stderr } = await signIn(
    '--context',
    'live',
    '--scope',
    'partners:read',
    'audit:read',
  )
  expect([exitCode, stdout]).toEqual([0, ''])
  expect(stderr).toMatch(/^Open http.+\/verify and sign in\.\nCompare the code: ABCD-EFGH\nSigned in\. /)
  expect(Object.fromEntries(provider.forms[0]!)).toMatchObject({
    client_id: 'tiwala-cli',
    scope: 'partners:read audit:read',
  })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  // Neither an address nor a token is given.
  expect(await command('whoami', '--json')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('sandbox-operator'),
  })
  const list = await command('context', 'list', '--json')
  expect(JSON.parse(list.stdout)).toMatchObject({ name: 'live', is_current: true, is_signed_in: true })
  expect(list.stdout).not.toContain('refresh-1')
})

test('login names the scopes that the provider did not grant', async () => {
  const [status, token] = granted(inject('token'))
  provider.responses = [[status, { ...token, scope: 'email partners:read' }]]
  const scopes = ['openid', 'partners:read', 'audit:read', 'keys:read']
  const { exitCode, stderr } = await signIn('--context', 'live', '--scope', ...scopes)
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(/\nThe identity provider did not grant audit:read keys:read\. If you .+\n$/),
  ])
})

test('login says why the provider cannot be used', async () => {
  const at = (issuer: string) => command('login', '--issuer', issuer, '--url', inject('operatorUrl'))
  const below = (name: string) => at(`${provider.issuer}/${name}`)
  const gone = createServer()
  await new Promise<void>((resolve) => void gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as AddressInfo
  await new Promise((resolve) => gone.close(resolve))
  expect(await at(`http://127.0.0.1:${port}`)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(/cannot be used: .+ \(ECONNREFUSED\)\.\n$/),
  })
  expect((await below('missing')).stderr).toMatch(/cannot be used: .+ \(404\)\.\n$/)
  const cause = Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  const failed = new TypeError('fetch failed', { cause })
  const advice = /\(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\. If a private authority .+ NODE_EXTRA_CA_CERTS/
  expect(() => refuse('It failed')(failed)).toThrow(advice)
  expect(formatError(failed, { url: 'https://tiwala.example' }).text).toMatch(advice)
})

test('a token that has ended, or that the service refuses, is refreshed', async () => {
  provider.responses = [granted('ended', 1), granted(inject('token'), 300, 'refresh-2')]
  await signIn('--context', 'live')
  expect(await command('whoami')).toMatchObject({ exitCode: 0 })
  expect(provider.forms.at(-1)!.get('refresh_token')).toBe('refresh-1')
  expect((await readStored()).contexts['live']!.tokens).toMatchObject({ refresh_token: 'refresh-2' })
  // A provider may keep the refresh token, and then sends none.
  provider.responses = [granted('refused'), [200, { access_token: inject('token'), token_type: 'Bearer' }]]
  await signIn('--context', 'live')
  expect(await command('whoami')).toMatchObject({ exitCode: 0 })
  expect((await readStored()).contexts['live']!.tokens).toMatchObject({ refresh_token: 'refresh-1' })
  provider.responses = [granted('ended', 1), [400, { error: 'invalid_grant' }]]
  await signIn('--context', 'live')
  expect(await command('whoami')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Sign in again: tiwala login --context live'),
  })
})

test('3: the sign-in ends while a command runs, which may have done a part', async () => {
  provider.responses = [granted('refused'), [400, { error: 'invalid_grant' }]]
  await signIn('--context', 'live')
  expect(await command('whoami')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('Sign in again: tiwala login --context live'),
  })
})

test('2: a context for another service does not use the identity provider of the first one', async () => {
  provider.responses = [granted(inject('token'))]
  await signIn('--context', 'live')
  const before = await readStored()
  provider.forms = []
  expect(await command('login', '--context', 'live', '--url', 'http://127.0.0.1:2')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^--issuer: give the issuer/),
  })
  expect([provider.forms, await readStored()]).toEqual([[], before])
})

test('Windows has the home folder in USERPROFILE', async () => {
  const context = { url: 'https://tiwala.example', issuer: '', client_id: 'x', scope: '' }
  const home = { env: { USERPROFILE: folder } } as unknown as Io
  await storeContext(home, 'live', context)
  expect(findContext(home)).toMatchObject({ name: 'live', url: 'https://tiwala.example' })
})

describe('a command that runs while another one changes its context', () => {
  const io = { env: { XDG_CONFIG_HOME: folder } } as unknown as Io

  /** Signs in, and returns the token of a command that is running. */
  async function begin(...responses: typeof provider.responses) {
    provider.responses = [granted('ended', 1)]
    await signIn('--context', 'live')
    const running = tokenOfContext(io, findContext(io, 'live')!)
    provider.responses = responses
    return running
  }

  test('uses the newer token, and later its refresh token', async () => {
    const { read } = await begin(granted(inject('token'), 300, 'refresh-2'))
    expect(await command('whoami')).toMatchObject({ exitCode: 0 })
    expect(await read()).toBe(inject('token'))
    const { refresh } = await begin(granted('ended', 1, 'refresh-2'), granted('newest', 300, 'refresh-3'))
    await tokenOfContext(io, findContext(io, 'live')!).refresh()
    expect(await refresh()).toBe('newest')
    expect(provider.forms.at(-1)!.get('refresh_token')).toBe('refresh-2')
  })

  test('does not write a removed context back', async () => {
    const { refresh } = await begin(granted('newer'))
    let removed: Promise<void> | undefined
    provider.onRefresh = () => void (removed = removeContext(io, 'live'))
    await refresh()
    await removed
    expect((await readStored()).contexts).not.toHaveProperty('live')
    await expect(refresh()).rejects.toThrow('Sign in again: tiwala login --context live')
  })

  test('does not send a token that is for another address', async () => {
    const { refresh } = await begin()
    provider.responses = [granted('of the other service')]
    await command('login', '--context', 'live', '--url', 'http://127.0.0.1:2', '--issuer', provider.issuer)
    await expect(refresh()).rejects.toThrow('Sign in again: tiwala login --context live')
  })
})

describe('the lock of the sign-ins', () => {
  test('two processes that renew a sign-in at once send its refresh token once', async () => {
    provider.responses = [granted('ended', 1)]
    await signIn('--context', 'live')
    provider.responses = [granted(inject('token'), 300, 'refresh-2'), [400, { error: 'invalid_grant' }]]
    const sent = () => provider.forms.flatMap((form) => form.get('refresh_token') ?? [])
    // The first process waits, so that the other one would send the token, too.
    const endsAtMs = performance.now() + 3_000
    provider.onRefresh = async () => {
      while (sent().length < 2 && performance.now() < endsAtMs) await sleep(20)
    }
    const main = join(import.meta.dirname, '../src/main.ts')
    const env = { ...process.env, XDG_CONFIG_HOME: folder }
    const whoami = () => promisify(execFile)(process.execPath, [main, 'whoami', '--json'], { env })
    for (const { stdout } of await Promise.all([whoami(), whoami()]))
      expect(stdout).toContain('sandbox-operator')
    expect(sent()).toEqual(['refresh-1'])
  })

  test('a lock that a killed process left ends', async () => {
    await writeFile(`${path}.lock`, '')
    const longAgo = new Date(Date.now() - 11_000)
    await utimes(`${path}.lock`, longAgo, longAgo)
    expect(await command('context', 'use', 'live')).toMatchObject({ exitCode: 0 })
    await expect(stat(`${path}.lock`)).rejects.toThrow('ENOENT')
  })
})

test.each([
  ['its provider fails', [503, {}]],
  ['its provider says so', [400, { error: 'temporarily_unavailable' }]],
] satisfies [string, [number, object]][])(
  '3: the sign-in cannot be renewed: %s',
  async (_reason, response) => {
    provider.responses = [granted('ended', 1), response]
    await signIn('--context', 'live')
    expect(await command('whoami')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('could not be renewed'),
    })
  },
)

test('the token of a context goes to the address of this context only', async () => {
  provider.responses = [granted('canary-token')]
  await signIn('--context', 'live')
  const received: (string | undefined)[] = []
  const other = createServer((req, res) => {
    received.push(req.headers.authorization, req.headers['x-partner-code'] as string)
    res.writeHead(404).end()
  })
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  expect(await command('whoami', '--url', url)).toMatchObject({ exitCode: 2 })
  expect(received.filter(Boolean)).toEqual([])
  // Nor does the partner that the member has chosen there.
  const env = { XDG_CONFIG_HOME: folder, TIWALA_OPERATOR_TOKEN: 'of-the-other' }
  const io = { env } as unknown as Io
  await storeContext(io, 'live', { ...findContext(io, 'live')!, partner: 'CANARY' })
  await tiwala(['whoami', '--url', url], { env })
  expect(received.filter(Boolean)).toEqual(['Bearer of-the-other'])
  other.close()
})

test('contexts: use, remove, and a name that does not exist', async () => {
  provider.responses = [granted(inject('token')), granted(inject('token'))]
  await signIn('--context', 'live')
  await signIn('--context', 'test')
  expect(await command('context', 'use', 'live')).toMatchObject({ exitCode: 0 })
  expect((await command('context', 'list')).stdout).toMatch(/^live +true .*\n(?=test +false)/m)
  expect(await command('context', 'remove', 'live')).toMatchObject({ exitCode: 0 })
  expect(await command('--context', 'live', 'whoami')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('There is no context "live"'),
  })
  expect(Object.keys((await readStored()).contexts)).toEqual(['test'])
  expect(await command('context', 'use', '../x')).toMatchObject({ exitCode: 2 })
})

test('a refresh does not change which context is used', async () => {
  provider.responses = [granted('ended', 1), granted(inject('token')), granted(inject('token'))]
  await signIn('--context', 'live')
  await signIn('--context', 'test')
  expect(await command('--context', 'live', 'whoami')).toMatchObject({ exitCode: 0 })
  expect(provider.responses).toEqual([])
  expect((await command('context', 'list')).stdout).toMatch(/^test +true/m)
})

test('a sign-in keeps the scope and the address of its context, unless others are given', async () => {
  const scopeAfter = async (...argv: string[]) => {
    provider.responses = [granted(inject('token'))]
    expect(await command('login', '--context', 'live', ...argv)).toMatchObject({ exitCode: 0 })
    return provider.forms.at(-2)!.get('scope')
  }
  const first = ['--issuer', provider.issuer, '--url', inject('operatorUrl')]
  expect(await scopeAfter(...first, '--scope', 'partners:read')).toBe('partners:read')
  expect(await scopeAfter()).toBe('partners:read')
  expect(await scopeAfter('--scope', 'audit:read')).toBe('audit:read')
  expect((await readStored()).contexts['live']!.url).toBe(inject('operatorUrl'))
})

test('a sign-in that is refused, or without an issuer, ends with 2 and stores nothing', async () => {
  await rm(path, { force: true })
  provider.responses = [[400, { error: 'access_denied' }]]
  // An empty variable counts as unset.
  const env = { XDG_CONFIG_HOME: folder, TIWALA_CONTEXT: '' }
  const argv = ['login', '--issuer', provider.issuer, '--url', inject('operatorUrl')]
  expect(await tiwala(argv, { env })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('did not sign you in: access_denied.'),
  })
  expect(await command('login')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^--issuer: give/),
  })
  expect(await command('login', '--issuer', 'http://identity.example')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('is not an https URL'),
  })
  await expect(stat(path)).rejects.toThrow('ENOENT')
  await writeFile(path, 'broken')
  expect(await command('context', 'list')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('cannot be read'),
  })
})
