// Sign-in at the identity provider, and attacks on the session that follows.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { exportEvents } from '../kit/audit.ts'
import { createBrowser } from '../kit/browser.ts'
import { arriveAtProvider, callWorkbench, signInAs } from '../kit/member.ts'
import { createSandbox } from '../kit/sandbox.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const { url } = service

const sessionOf = (headers: Record<string, string>) => callWorkbench(url, headers)('readSession')

describe('sign-in', () => {
  test('303: a person of the sandbox signs in, and the browser gets a cookie and no token', async () => {
    const { response, cookies, call, browser } = await signInAs(url, 'developer')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/workbench/'])
    const cookie = cookies.find((line) => line.startsWith('tiwala-workbench='))!
    expect(cookie.replace(/=\w{43};/, '=...;')).toBe(
      'tiwala-workbench=...; Path=/; HttpOnly; SameSite=Strict',
    )
    // The cookie of the sign-in is gone.
    expect(browser.cookies().map(([name]) => name)).toEqual(['tiwala-workbench /'])
    const { status, body } = await call('readSession')
    expect([status, body]).toMatchObject([
      200,
      {
        email: 'developer@sandbox.example',
        role: 'developer',
        partner_code: 'SANDBOX',
        environment: 'sandbox',
      },
    ])
    expect(await response.text()).not.toMatch(/ey[\w-]+\./)
  })

  test('303: over https, both cookies have the prefix and are secure', async () => {
    const live = await startServiceForFile({ TIWALA_PUBLIC_URL: 'https://tiwala.example' })
    const origin = live.config.listeners[0]!
    const response = await fetch(`http://127.0.0.1:${origin.port}/workbench/sign-in`, { redirect: 'manual' })
    expect(response.headers.getSetCookie()[0]!.replace(/=\w{43}~;/, '=...;')).toMatch(
      /^__Host-tiwala-workbench-sign-in-[\w-]{16}=\.\.\.; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(new URL(response.headers.get('location')!).searchParams.get('redirect_uri')).toBe(
      'https://tiwala.example/workbench/callback',
    )
  })

  test.each([[[0, 1]], [[1, 0]]])('303: two tabs of a browser sign in, in the order %j', async (order) => {
    const tabs = [await arriveAtProvider(url), await arriveAtProvider(url)]
    const { browser } = tabs[0]!
    browser.plant(tabs[1]!.browser.cookies())
    const statuses = []
    for (const place of order)
      statuses.push((await browser.request([...tabs[place]!.people.values()][0]!)).status)
    expect(statuses).toEqual([303, 303])
    expect(browser.cookies().map(([name]) => name)).toEqual(['tiwala-workbench /'])
  })

  test('a browser keeps the cookies of the last five sign-ins that it began', async () => {
    const browser = createBrowser(url)
    const names = []
    for (let count = 0; count < 7; count++) {
      const { headers } = await browser.request(`${url}/workbench/sign-in`)
      const state = new URL(headers.get('location')!, url).searchParams.get('state')!
      names.push(`tiwala-workbench-sign-in-${state.slice(0, 16)} /`)
    }
    expect(browser.cookies().map(([name]) => name)).toEqual(names.slice(-5))
  })

  test('303: a visitor signs in to the own sandbox, which no other visitor sees', async () => {
    const [mine, other] = [await createSandbox(url), await createSandbox(url)]
    const { call } = await signInAs(url, 'admin', { login_hint: mine.sandbox_id })
    expect((await call('readSession')).body.partner_code).toBe(mine.partner.partner_code)
    const { people } = await arriveAtProvider(url, { login_hint: other.sandbox_id })
    expect([...people.keys()].some((email) => email.includes(mine.partner.partner_code.toLowerCase()))).toBe(
      false,
    )
  })

  test('404: the sandbox of the hint has ended', async () => {
    const { page } = await arriveAtProvider(url, { login_hint: `sbx_${'0'.repeat(22)}` })
    expect(page.status).toBe(404)
  })

  test('403: a person who is no member gets no session', async () => {
    const sandbox = await createSandbox(url)
    const { call, session } = await signInAs(url, 'admin', { login_hint: sandbox.sandbox_id })
    const { body } = await call('readSession')
    const { members } = (await call('listMembers')).body
    const viewer = members.find(({ role }) => role === 'viewer')!
    const headers = { 'X-Csrf-Token': body.csrf_token! }
    const { browser, people } = await arriveAtProvider(url, { login_hint: sandbox.sandbox_id })
    await callWorkbench(url, session)('removeMember', { path: { member_id: viewer.member_id }, headers })
    const response = await browser.request(people.get(viewer.email)!)
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('invite you')])
    expect(response.headers.getSetCookie().join()).not.toContain('tiwala-workbench=')
  })
})

describe('attacks on the sign-in', () => {
  test('400: a callback without the cookie of its sign-in, as an attacker sends it to a victim', async () => {
    const { people } = await arriveAtProvider(url)
    const response = await fetch([...people.values()][0]!, { redirect: 'manual' })
    expect([response.status, response.headers.getSetCookie().join()]).toEqual([
      400,
      expect.not.stringMatching(/tiwala-workbench=\w/),
    ])
  })

  test('400: the callback of another browser, with a cookie of its own sign-in', async () => {
    const [mine, attacker] = [await arriveAtProvider(url), await arriveAtProvider(url)]
    const response = await mine.browser.request([...attacker.people.values()][0]!)
    expect(response.status).toBe(400)
  })

  test.each(['code', 'state', 'iss'])('400: a callback with another %s', async (name) => {
    const { browser, people } = await arriveAtProvider(url)
    const callback = new URL([...people.values()][0]!)
    callback.searchParams.set(name, 'other')
    expect((await browser.request(callback)).status).toBe(400)
  })

  test('400: a callback with another state of the same beginning, which names the cookie', async () => {
    const { browser, people } = await arriveAtProvider(url)
    const callback = new URL([...people.values()][0]!)
    const state = callback.searchParams.get('state')!
    callback.searchParams.set('state', state.slice(0, 16) + 'A'.repeat(state.length - 16))
    expect((await browser.request(callback)).status).toBe(400)
  })

  test('400: a code is of no use with the verifier of another sign-in', async () => {
    const [mine, other] = [await arriveAtProvider(url), await arriveAtProvider(url)]
    const callback = new URL([...mine.people.values()][0]!)
    callback.searchParams.set('code', new URL([...other.people.values()][0]!).searchParams.get('code')!)
    expect((await mine.browser.request(callback)).status).toBe(400)
  })

  test('400: an error of the provider starts no session', async () => {
    const { browser, people } = await arriveAtProvider(url)
    const callback = new URL([...people.values()][0]!)
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'access_denied')
    const response = await browser.request(callback)
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('did not sign you in'),
    ])
  })

  test('429: more than 20 sign-ins of a person in a minute, also by one callback that is sent again', async () => {
    const { sandbox_id } = await createSandbox(url)
    const { browser, people } = await arriveAtProvider(url, { login_hint: sandbox_id })
    const [callback, other] = [...people.values()]
    const cookie = browser.cookies().map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
    const repeat = (target: string) =>
      fetch(target, { redirect: 'manual', headers: { Cookie: cookie.join('; ') } })
    const before = await service.countRows('member_session')
    const statuses = []
    for (let count = 0; count < 45; count++) statuses.push((await repeat(callback!)).status)
    expect(new Set(statuses)).toEqual(new Set([303, 429]))
    const started = statuses.filter((status) => status === 303).length
    expect((await service.countRows('member_session'))[0]).toBe(before[0]! + started)
    // A minute may have ended meanwhile.
    expect([20, 40]).toContain(started)
    expect((await repeat(other!)).status).toBe(303)
  })

  test('422: the provider of the sandbox sends codes to this page only', async () => {
    const { page } = await arriveAtProvider(url)
    const own = [`${url}/console/callback`, `${url}/sandbox/signed-in`]
    for (const target of ['https://evil.example/workbench/callback', ...own, 'x']) {
      const changed = new URL(page.url)
      changed.searchParams.set('redirect_uri', target)
      expect((await fetch(changed)).status).toBe(422)
    }
  })

  test('200: the people of another sandbox cannot be chosen, not even after an invitation', async () => {
    const [mine, other] = [await createSandbox(url), await createSandbox(url)]
    const [email] = [...(await arriveAtProvider(url, { login_hint: other.sandbox_id })).people.keys()]
    const { call } = await signInAs(url, 'admin', { login_hint: mine.sandbox_id })
    const headers = { 'X-Csrf-Token': (await call('readSession')).body.csrf_token! }
    expect((await call('inviteMember', { body: { email: email!, role: 'viewer' }, headers })).status).toBe(
      201,
    )
    const { people } = await arriveAtProvider(url, { login_hint: mine.sandbox_id })
    expect([people.size, people.has(email!)]).toEqual([3, false])
  })

  test('422: a partner_code that is none', async () => {
    expect((await fetch(`${url}/workbench/sign-in?partner_code=a~b`)).status).toBe(422)
  })

  test('303: a session that an attacker has planted does not become that of the person (fixation)', async () => {
    const planted = 'A'.repeat(43)
    const { browser, people } = await arriveAtProvider(url)
    browser.plant([['tiwala-workbench /', { value: planted, path: '/' }]])
    const response = await browser.request([...people.values()][0]!)
    expect(response.headers.getSetCookie().join()).not.toContain(planted)
    expect((await sessionOf({ Cookie: `tiwala-workbench=${planted}` })).status).toBe(401)
  })
})

describe('the end of a session', () => {
  const signedIn = async (role: 'viewer' | 'admin' = 'viewer') => {
    const partner = await service.partner()
    return { partner, ...(await service.signIn(partner.code, role)) }
  }

  test('401: signed out, in this browser only', async () => {
    const partner = await service.partner()
    const [one, other] = [await service.signIn(partner.code), await service.signIn(partner.code)]
    expect((await callWorkbench(url, one.headers)('signOut')).status).toBe(200)
    expect(await sessionOf(one.headers)).toMatchObject({ status: 401, body: { error: 'session_required' } })
    expect((await sessionOf(other.headers)).status).toBe(200)
  })

  test('401: a page that is older than the cookie shows nothing of the newer session', async () => {
    const partner = await service.partner()
    const [older, newer] = [await service.signIn(partner.code), await service.signIn(partner.code)]
    const stale = { ...newer.headers, 'X-Csrf-Token': older.headers['X-Csrf-Token'] }
    expect(await sessionOf(stale)).toMatchObject({ status: 401, body: { error: 'session_required' } })
    expect((await sessionOf({ Cookie: newer.headers.Cookie })).status).toBe(200)
  })

  test('401: after 15 minutes without a request; each request continues it', async () => {
    const own = await startServiceForFile({})
    const { headers } = await own.signIn((await own.partner()).code)
    const read = () => callWorkbench(own.url, headers)('readSession')
    for (let turn = 0; turn < 3; turn++) {
      await own.advance(14 * 60)
      expect((await read()).status).toBe(200)
    }
    await own.advance(15 * 60 + 1)
    expect((await read()).status).toBe(401)
  })

  test('401: 8 hours after the sign-in, also for a session in use', async () => {
    const own = await startServiceForFile({ TIWALA_SESSION_IDLE_MINUTES: '600' })
    const { headers } = await own.signIn((await own.partner()).code)
    const read = () => callWorkbench(own.url, headers)('readSession')
    await own.advance(8 * 3_600 - 10)
    expect((await read()).status).toBe(200)
    await own.advance(11)
    expect((await read()).status).toBe(401)
    await expect.poll(async () => (await own.countRows('member_session'))[0]).toBe(0)
  })

  test('401: the member is removed', async () => {
    const { partner, memberId, headers } = await signedIn()
    const admin = await service.signIn(partner.code)
    await callWorkbench(url, admin.headers)('removeMember', { path: { member_id: memberId } })
    expect((await sessionOf(headers)).status).toBe(401)
  })

  test('401: the partner is suspended; resuming it brings no session back', async () => {
    const { partner, headers } = await signedIn()
    const path = { partner_code: partner.code }
    await service.operator('suspendPartner', { path })
    expect((await sessionOf(headers)).status).toBe(401)
    await service.operator('resumePartner', { path })
    expect((await sessionOf(headers)).status).toBe(401)
  })

  test('401: a backup was restored', async () => {
    const own = await startServiceForFile({})
    const { headers } = await own.signIn((await own.partner()).code)
    await own.operator('completeRestore', {})
    expect((await callWorkbench(own.url, headers)('readSession')).status).toBe(401)
  })

  test('403: another role applies to the next request', async () => {
    const { partner, memberId, headers } = await signedIn('admin')
    const invite = (email: string) =>
      callWorkbench(url, headers)('inviteMember', { body: { email, role: 'viewer' } })
    expect((await invite('first@staff.example')).status).toBe(201)
    const admin = await service.signIn(partner.code)
    await callWorkbench(url, admin.headers)('changeMember', {
      path: { member_id: memberId },
      body: { role: 'viewer' },
    })
    expect((await invite('second@staff.example')).status).toBe(403)
  })
})

test('nothing in the database is a session, or a token against requests of other sites', async () => {
  const { headers } = await service.signIn((await service.partner()).code)
  const dump = await service.dumpDatabase()
  expect(dump).not.toContain(headers.Cookie.split('=')[1]!)
  expect(dump).not.toContain(headers['X-Csrf-Token'])
})

test('the audit names the member and never the address', async () => {
  const partner = await service.partner()
  const { memberId, headers } = await service.signIn(partner.code)
  const email = 'secret-name@staff.example'
  await callWorkbench(url, headers)('inviteMember', { body: { email, role: 'viewer' } })
  const events = (await exportEvents(service.operator)).filter(({ actor }) => actor === memberId)
  expect(events.map(({ kind, partner_code }) => `${kind} ${partner_code}`).toSorted()).toEqual([
    `member.invited ${partner.code}`,
    `session.started ${partner.code}`,
  ])
  expect(JSON.stringify(events)).not.toContain(email)
})

describe('members', () => {
  test('422: members cannot change or remove themselves', async () => {
    const { memberId, headers } = await service.signIn((await service.partner()).code)
    const call = callWorkbench(url, headers)
    const path = { member_id: memberId }
    for (const answer of [
      await call('removeMember', { path }),
      await call('changeMember', { path, body: { role: 'viewer' } }),
    ])
      expect(answer).toMatchObject({ status: 422, body: { errors: { member_id: [expect.any(String)] } } })
  })

  test('409: a person is invited once; after a removal, again', async () => {
    const { headers } = await service.signIn((await service.partner()).code)
    const call = callWorkbench(url, headers)
    const invite = () => call('inviteMember', { body: { email: 'New@staff.example', role: 'viewer' } })
    const { body } = await invite()
    expect(body).toMatchObject({ email: 'new@staff.example', status: 'INVITED' })
    expect(await invite()).toMatchObject({ status: 409, body: { error: 'member_exists' } })
    await call('removeMember', { path: { member_id: body.member_id } })
    expect((await invite()).status).toBe(201)
  })

  test('409: more than 1,000 members; one who was removed leaves room', async () => {
    const partner = await service.partner()
    const call = callWorkbench(url, (await service.signIn(partner.code)).headers)
    await sql`
      insert into member (member_id, partner_id, email, role)
      select ${partner.code} || nth, p.id, nth || '@staff.example', 'viewer'
        from partner p, generate_series(1, 999) nth where p.partner_code = ${partner.code}`.execute(
      service.db,
    )
    const invite = () => call('inviteMember', { body: { email: 'new@staff.example', role: 'viewer' } })
    expect((await invite()).status).toBe(409)
    await call('removeMember', { path: { member_id: `${partner.code}1` } })
    expect((await invite()).status).toBe(201)
  })

  test('409: an administrator invites a member once', async () => {
    const path = { partner_code: (await service.partner()).code }
    const body = { email: 'admin@staff.example', role: 'admin' as const }
    const invite = () => service.operator('invitePartnerMember', { path, body })
    expect((await invite()).status).toBe(201)
    expect(await refusal(invite())).toMatchObject({ status: 409, code: 'member_exists' })
  })
})
