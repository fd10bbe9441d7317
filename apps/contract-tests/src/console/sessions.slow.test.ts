// Sign-in of administrators at their identity provider, and attacks on the session that follows.
import { locate } from '@tiwala/kit/operations'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { signInOnce, startProvider } from '../kit/identity-provider.ts'
import { arriveAtProvider } from '../kit/member.ts'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const { url } = service
type Headers = Record<string, string>

const arrive = () => arriveAtProvider(url, {}, '/console')
const cookieOf = (response: Response) =>
  response.headers.getSetCookie().find((line) => /^(__Host-)?tiwala-console=/.test(line))

async function readSession(origin: string, headers: Headers) {
  const response = await fetch(origin + locate('readOwnSession').path, { headers })
  const body = (await response.json()) as {
    scopes: string[]
    csrf_token: string
    name: string
    expires_at: string
  }
  return { status: response.status, body }
}

/** Signs in by the whole protocol at the provider of the sandbox. */
async function signInAs(person: string) {
  const { browser, people } = await arrive()
  const response = await browser.request([...people].find(([email]) => email.startsWith(person))![1])
  return { response, headers: { Cookie: cookieOf(response)!.split(';')[0]! } }
}

const suspend = (code: string, headers: Headers) =>
  service.send('suspendPartner', { path: { partner_code: code }, headers })

describe('sign-in', () => {
  test('303: an administrator of the sandbox signs in, and the browser gets a cookie and no token', async () => {
    const { response, headers } = await signInAs('administrator')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/console/'])
    expect(cookieOf(response)!.replace(/=\w{43};/, '=...;')).toBe(
      'tiwala-console=...; Path=/; HttpOnly; SameSite=Strict',
    )
    expect(await response.text()).not.toMatch(/ey[\w-]+\./)
    const { status, body } = await readSession(url, headers)
    expect([status, body]).toMatchObject([
      200,
      {
        subject: 'administrator@tiwala.example',
        name: 'administrator@tiwala.example',
        environment: 'sandbox',
      },
    ])
    expect(body.scopes).toContain('partners:write')
  })

  test('200, 403: a session has the scopes of its person, and its acts have the person as actor', async () => {
    const { code } = await service.partner()
    const [auditor, administrator] = [await signInAs('auditor'), await signInAs('administrator')]
    const act = async ({ headers }: typeof auditor) => {
      const { body } = await readSession(url, headers)
      return suspend(code, { ...headers, 'X-Csrf-Token': body.csrf_token })
    }
    expect(await errorBody(await act(auditor))).toMatchObject({
      status: 403,
      error: 'scope_not_granted',
      message: 'The session lacks the scope partners:write',
    })
    expect((await act(administrator)).status).toBe(200)
    const { body } = await service.operator('listAuditEvents', { query: { kind: 'partner.suspended' } })
    expect(body.events[0]).toMatchObject({ partner_code: code, actor: 'administrator@tiwala.example' })
  })

  test('200: a token has its own scopes and end, and no name', async () => {
    const token = await service.tokens.operator('audit:read keys:read', undefined, 'ana')
    const { body } = await readSession(url, { Authorization: `Bearer ${token}` })
    expect(body).toMatchObject({
      subject: 'ana',
      name: null,
      scopes: ['audit:read', 'keys:read'],
      expires_at: new Date(decodeJwt(token).exp! * 1_000).toISOString(),
    })
  })

  test('303: over https, the cookie has the prefix and is secure', async () => {
    const live = await startServiceForFile({ TIWALA_PUBLIC_URL: 'https://tiwala.example' })
    const headers = await live.signInOperator([])
    expect(headers.Cookie).toMatch(/^__Host-tiwala-console=/)
    const own = `http://127.0.0.1:${live.config.listeners[0]!.port}`
    expect((await readSession(own, headers)).status).toBe(200)
    const withoutPrefix = { Cookie: headers.Cookie.replace('__Host-', '') }
    expect((await readSession(own, withoutPrefix)).status).toBe(401)
  })

  test('404: a sandbox that others can reach has no administrator for its visitors', async () => {
    const open = await startServiceForFile({ TIWALA_PUBLIC_URL: 'https://tiwala.example' })
    const own = `http://127.0.0.1:${open.config.listeners[0]!.port}`
    expect((await fetch(`${own}/console/sign-in`)).status).toBe(404)
    expect((await fetch(`${own}/sandbox/operators`)).status).toBe(404)
  })
})

describe('attacks on the sign-in', () => {
  test('400: the callback of the workbench is none of the console', async () => {
    const { browser, people } = await arriveAtProvider(url)
    const callback = [...people.values()][0]!.replace('/workbench/callback', '/console/callback')
    expect((await browser.request(callback)).status).toBe(400)
  })
})

describe('attacks on the session', () => {
  test('401: the session of a member of a partner is none of an administrator, and the reverse', async () => {
    const { code } = await service.partner()
    const member = await service.signIn(code)
    const operator = await service.signInOperator(['partners:read'])
    const asOperator = { Cookie: member.headers.Cookie.replace('workbench', 'console') }
    expect((await readSession(url, asOperator)).status).toBe(401)
    const asMember = { Cookie: operator.Cookie.replace('console', 'workbench') }
    const response = await fetch(url + locate('readSession').path, { headers: asMember })
    expect(response.status).toBe(401)
  })

  test('401: a token that is not valid is not replaced by the session', async () => {
    const session = await service.signInOperator(['partners:read'])
    const headers = { ...session, Authorization: 'Bearer x' }
    expect((await readSession(url, headers)).status).toBe(401)
  })

  test('403: a page of another origin acts without the token; its preflight gets no permission', async () => {
    const { code } = await service.partner()
    const { Cookie } = await service.signInOperator(['partners:write'])
    const origin = { Origin: 'https://evil.example' }
    const response = await suspend(code, { Cookie, ...origin })
    expect(await errorBody(response)).toMatchObject({ status: 403, error: 'csrf_token_invalid' })
    const asked = await fetch(`${url}${locate('listPartners').path}/${code}/suspend`, {
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': 'POST' },
    })
    const read = await fetch(url + locate('listPartners').path, { headers: { Cookie, ...origin } })
    for (const { headers } of [asked, read, response])
      expect(headers.get('access-control-allow-origin')).toBeNull()
    expect((await service.operator('readPartner', { path: { partner_code: code } })).body.status).toBe(
      'ACTIVE',
    )
  })
})

describe('the end of a session', () => {
  const readAt = async (settings: Headers) => {
    const own = await startServiceForFile(settings)
    const headers = await own.signInOperator(['partners:read'])
    return { own, headers, read: async () => (await readSession(own.url, headers)).status }
  }

  test('401: signed out, in this browser only; a token has no session to end', async () => {
    const [one, other] = [await service.signInOperator([]), await service.signInOperator([])]
    const signOut = async (headers: Headers) => {
      const response = await fetch(url + locate('endOwnSession').path, { method: 'DELETE', headers })
      return [response.status, ((await response.json()) as { ended: boolean }).ended]
    }
    expect(await signOut(one)).toEqual([200, true])
    expect(await readSession(url, one)).toMatchObject({ status: 401, body: { error: 'session_required' } })
    expect((await readSession(url, other)).status).toBe(200)
    expect(await signOut({ Authorization: `Bearer ${service.operatorToken}` })).toEqual([200, false])
  })

  test('401: a page that is older than the cookie shows nothing of the newer session', async () => {
    const [older, newer] = [await service.signInOperator([]), await service.signInOperator([])]
    const stale = { ...newer, 'X-Csrf-Token': older['X-Csrf-Token'] }
    expect(await readSession(url, stale)).toMatchObject({ status: 401, body: { error: 'session_required' } })
    expect((await readSession(url, { Cookie: newer['Cookie'] })).status).toBe(200)
  })

  test('401: after 15 minutes without a request; each request continues it', async () => {
    const { own, read } = await readAt({})
    for (let turn = 0; turn < 3; turn++) {
      await own.advance(14 * 60)
      expect(await read()).toBe(200)
    }
    // Not by the clock: housekeeping would delete the session, and the test could not tell.
    await sql`update operator_session set used_at = used_at - interval '901 seconds'`.execute(own.db)
    expect(await read()).toBe(401)
  })

  test('401: 8 hours after the sign-in, also for a session in use; its row is deleted', async () => {
    const { own, read } = await readAt({ TIWALA_SESSION_IDLE_MINUTES: '600' })
    await own.advance(8 * 3_600 - 10)
    expect(await read()).toBe(200)
    await own.advance(11)
    expect(await read()).toBe(401)
    await expect.poll(async () => (await own.countRows('operator_session'))[0]).toBe(0)
  })

  test('401: a backup was restored', async () => {
    const { own, read } = await readAt({})
    await own.operator('completeRestore', {})
    expect(await read()).toBe(401)
  })
})

describe('the access token of the identity provider', () => {
  /** A service with an identity provider of its own, and a browser that has signed in. */
  async function signInAt(access: Record<string, unknown> | undefined, email = 'ana@tiwala.example') {
    const provider = await startProvider({ email }, { clientId: 'console', ...(access && { access }) })
    const own = await startTestService({
      TIWALA_OPERATOR_ISSUER: provider.issuer,
      TIWALA_OPERATOR_JWKS_URL: `${provider.issuer}/jwks`,
      TIWALA_CONSOLE_CLIENT_ID: 'console',
    })
    onTestFinished(() => own.close())
    return { own, provider, response: await signInOnce(own.url, '/console') }
  }

  test('303: its subject and its known scopes are those of the session', async () => {
    const access = { sub: 'ana', scp: ['partners:read', 'audit:read', 'other:read'] }
    const { own, provider, response } = await signInAt(access)
    expect(response.status).toBe(303)
    const { body } = await readSession(own.url, { Cookie: cookieOf(response)!.split(';')[0]! })
    expect(body).toMatchObject({ subject: 'ana', name: 'ana@tiwala.example' })
    expect(body.scopes).toEqual(['audit:read', 'partners:read'])
    expect(provider.requests[0]!.body).toMatch(/code_verifier=[\w-]{43,}/)
  })

  test.each([
    ['a letter without a form', 'ana\u3164'],
    ['an empty sign', 'ana\u2800'],
    ['the end of a line', 'a\u2028na'],
  ])(
    '303: the session shows no address with %s, which people could take for another one',
    async (_what, email) => {
      const { own, response } = await signInAt({ sub: 'ana', scope: 'partners:read' }, email)
      const { body } = await readSession(own.url, { Cookie: cookieOf(response)!.split(';')[0]! })
      expect(body).toMatchObject({ subject: 'ana', name: null })
    },
  )

  test.each([
    [
      'another audience',
      { scope: 'partners:read', aud: 'other' },
      'not valid for the operator API (audience)',
    ],
    ['no JWT', undefined, 'not valid for the operator API (format)'],
    ['no scope of the API', { scope: 'openid' }, 'no scope of the operator API'],
    ['no scope at all', {}, 'no scope of the operator API'],
  ])('403: %s', async (_what, access, text) => {
    const { response } = await signInAt(access)
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining(text)])
    expect(cookieOf(response)).toBeUndefined()
  })
})
