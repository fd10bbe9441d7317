// The command line of `@tiwala/client`, over the workbench document: as built, in a process of its own.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startProvider } from '../kit/identity-provider.ts'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'

const CLIENT = join(import.meta.dirname, '../../../../packages/client')
const folder = await mkdtemp(join(tmpdir(), 'tiwala-member-'))
afterAll(() => rm(folder, { recursive: true }))
const service = await startServiceForFile({})

type Settings = Record<string, string>
type Outcome = { code: number; stdout: string; stderr: string }
const run = promisify(execFile)

/** `npx @tiwala/client <arguments>` in an empty folder, into which the packed client was installed. */
async function client(argv: string[], settings: Settings = {}): Promise<Outcome> {
  const env = {
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: folder,
    TIWALA_MEMBER_URL: service.url,
    ...settings,
  }
  return run('npx', ['--no-install', '@tiwala/client', ...argv], { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  )
}

beforeAll(async () => {
  const packed = join(CLIENT, 'download/tiwala-client.tgz')
  await run('npm', ['install', '--silent', '--offline', '--prefix', folder, packed], { cwd: folder })
})

/** A partner with a refused request, and tokens of its people. */
async function prepare() {
  const partner = await service.partner()
  const refused: unknown = await partner.profiles.inquire('unknown').catch((error: unknown) => error)
  const tokenOf = async (role: 'admin' | 'viewer') => {
    const { memberId, bearer } = await service.signIn(partner.code, role)
    return { memberId, TIWALA_MEMBER_TOKEN: bearer.Authorization.slice('Bearer '.length) }
  }
  return { partner, requestId: (refused as { requestId: string }).requestId, tokenOf }
}

test('requests --failed shows the refused requests, and request show the diagnosis of one', async () => {
  const { partner, requestId, tokenOf } = await prepare()
  await partner.profiles.listRecords()
  const { TIWALA_MEMBER_TOKEN } = await tokenOf('viewer')
  const list = async () => (await client(['requests', '--failed', '--json'], { TIWALA_MEMBER_TOKEN })).stdout
  await expect.poll(list).toContain(requestId)
  expect(JSON.parse(await list())).toMatchObject({ requests: [{ request_id: requestId, status: 404 }] })
  const byError = await client(['requests', '--error', 'rate_limited'], { TIWALA_MEMBER_TOKEN })
  expect(byError).toMatchObject({ code: 0, stdout: '', stderr: '"requests" found no results.\n' })
  await expect
    .poll(async () => (await client(['request', 'show', requestId], { TIWALA_MEMBER_TOKEN })).stdout)
    .toMatch(/^diagnosis\.\w+/m)
})

test('a member acts with the own role, and the audit has the person', async () => {
  const { partner, tokenOf } = await prepare()
  const { memberId, TIWALA_MEMBER_TOKEN } = await tokenOf('admin')
  const viewer = await tokenOf('viewer')
  const invite = ['member', 'invite', '--email', 'new@hotel.example', '--role', 'viewer']
  const refused = await client(invite, { TIWALA_MEMBER_TOKEN: viewer.TIWALA_MEMBER_TOKEN })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Your role does not allow this') })
  expect(await client(invite, { TIWALA_MEMBER_TOKEN })).toMatchObject({ code: 0 })
  const { events } = (await service.operator('listAuditEvents', { query: { partner_code: partner.code } }))
    .body
  expect(events.find(({ kind }) => kind === 'member.invited')).toMatchObject({ actor: memberId })
  expect(await client(['member', 'remove', viewer.memberId, '--yes'], { TIWALA_MEMBER_TOKEN })).toMatchObject(
    {
      code: 0,
    },
  )
  const ended = await client(['whoami'], { TIWALA_MEMBER_TOKEN: viewer.TIWALA_MEMBER_TOKEN })
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('not a member') })
  for (const command of ['events', 'credentials', 'records', 'members'])
    expect(await client([command, '--output', 'csv'], { TIWALA_MEMBER_TOKEN })).toMatchObject({ code: 0 })
})

test('2: a secret that ends at once needs a confirmation, and an address needs no scheme', async () => {
  const { partner, tokenOf } = await prepare()
  const { TIWALA_MEMBER_TOKEN } = await tokenOf('admin')
  const settings = { TIWALA_MEMBER_TOKEN, TIWALA_MEMBER_URL: new URL(service.url).host }
  const secrets = () => client(['credentials', '--json'], settings)
  const before = await secrets()
  expect(JSON.parse(before.stdout)).toMatchObject({ credentials: expect.any(Array) })
  for (const argv of [
    ['credential', 'rotate', '--kind', 'secret_token', '--grace-days', '0'],
    ['webhook-secret', 'rotate', '--grace-days', '0'],
    ['settings', 'change', '--callback-url', 'null'],
  ])
    expect(await client(argv, settings)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect(await secrets()).toEqual(before)
  await partner.profiles.listRecords()
})

test('login: a sandbox on this machine needs no sign-in', async () => {
  expect(await client(['login', '--url', service.url], { TIWALA_MEMBER_URL: '' })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('needs no sign-in'),
  })
  const { stdout } = await client(['whoami', '--json'], { TIWALA_MEMBER_URL: '' })
  expect(JSON.parse(stdout)).toMatchObject({ partner_code: 'SANDBOX', role: 'admin' })
  expect(await client(['logout'])).toMatchObject({ code: 0 })
  expect(await client(['logout'])).toMatchObject({ code: 2, stderr: 'You are not signed in.\n' })
})

test('login, 3: the message names the address that cannot be reached', async () => {
  expect(await client(['login'], { TIWALA_MEMBER_URL: 'http://127.0.0.1:2' })).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /^The service cannot be reached at http:\/\/127\.0\.0\.1:2\/workbench\/v1 /,
    ),
  })
})

test('login: by the device flow at the issuer that the service names, for this user only', async () => {
  const access = { sub: 'ana', email: 'ana@hotel.example', email_verified: true, aud: 'tiwala-workbench-api' }
  const { issuer, requests } = await startProvider({}, { access })
  const live = await startTestService({
    TIWALA_STAFF_ISSUER: issuer,
    TIWALA_STAFF_JWKS_URL: `${issuer}/jwks`,
  })
  onTestFinished(() => live.close())
  const codes = [(await live.partner()).code, (await live.partner()).code]
  for (const code of codes)
    await live.operator('invitePartnerMember', {
      path: { partner_code: code },
      body: { email: access.email, role: 'developer' },
    })
  const settings = { TIWALA_MEMBER_URL: live.url }
  const signedIn = await client(['login', '--partner', codes[0]!], settings)
  expect(signedIn).toMatchObject({ code: 0, stdout: '' })
  expect(signedIn.stderr).toMatch(
    /^Open http.+\/verify and sign in\.\nCompare the code: ABCD-EFGH\nSigned in\. /,
  )
  expect(requests[0]!.body).toContain('client_id=tiwala-cli')
  const path = join(folder, 'tiwala/member.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const { contexts } = JSON.parse(await readFile(path, 'utf8')) as {
    contexts: Record<string, { tokens: { access_token: string } }>
  }
  const outputs = [signedIn, await client(['whoami', '--json'], settings)]
  expect(JSON.parse(outputs[1]!.stdout)).toMatchObject({ partner_code: codes[0], role: 'developer' })
  const other = await client(['whoami', '--json', '--partner', codes[1]!], settings)
  expect(JSON.parse(other.stdout)).toMatchObject({ partner_code: codes[1] })
  // Who signs in again goes on for the chosen partner, and not for the last one.
  await client(['login'], settings)
  const again = await client(['whoami', '--json'], settings)
  expect(JSON.parse(again.stdout)).toMatchObject({ partner_code: codes[0] })
  await client(['login', '--context', 'second', '--partner', codes[1]!], settings)
  const first = await client(['whoami', '--json', '--context', 'default'], settings)
  expect(JSON.parse(first.stdout)).toMatchObject({ partner_code: codes[0] })
  for (const { stdout, stderr } of outputs)
    expect(stdout + stderr).not.toContain(contexts['default']!.tokens.access_token)
  for (const context of ['default', 'second'])
    expect(await client(['logout', '--context', context], settings)).toMatchObject({ code: 0 })
  expect(await readFile(path, 'utf8')).not.toContain('access_token')
})
