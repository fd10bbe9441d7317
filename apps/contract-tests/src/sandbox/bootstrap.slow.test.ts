import { get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Behavior, Bootstrap } from '@tiwala/server/sandbox-bootstrap'
import { describe, expect, test } from 'vitest'
import { documents } from '../contract-check/documents.ts'
import { createClients } from '../kit/sandbox-bootstrap.ts'
import { fieldsOf } from '../kit/specification-fields.ts'
import { startServiceForFile, startTestService } from '../kit/test-service.ts'

const service = await startServiceForFile()
const bootstrap = (await (await fetch(`${service.url}/sandbox/bootstrap.json`)).json()) as Bootstrap

/** Clients that use only the data of the bootstrap. */
const newcomer = () => createClients(bootstrap)
const citizenWho = (behavior: Behavior) =>
  bootstrap.citizens.find((citizen) => citizen.behavior === behavior)!

/** Requests an authorization from a citizen with this behavior, and returns the state after a while. */
async function ask(behavior: Behavior) {
  const { profiles, showQr } = newcomer()
  const { record } = await profiles.requestAuthorization(await showQr(citizenWho(behavior).token, 'inquire'))
  return { record, state: async () => (await profiles.inquire(record.tracking_no)).state }
}

async function everyone() {
  const { profiles, sso, showQr, signIn } = newcomer()
  return Promise.all(
    bootstrap.citizens.map(async ({ token }) => {
      const profile = (await profiles.profileByQr(await showQr(token, 'share'))).record.response
      return { profile, signedIn: await sso.signIn((await signIn(token)).body.exchange_code) }
    }),
  )
}

describe('the addresses in bootstrap.json', () => {
  const urlsOf = async (url: string, Host: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    get(`${url}/sandbox/bootstrap.json`, { headers: { Host } }, resolve).on('error', reject)
    const { base_url, auth_url, citizen_url, operator_url } = (await json(await promise)) as Bootstrap
    return [base_url, auth_url, new URL(citizen_url).origin, new URL(operator_url).origin]
  }

  test.each([
    ['192.0.2.7:8080', 'http://192.0.2.7:8080'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['[2001:db8::7]:8080', 'http://[2001:db8::7]:8080'],
    ['localhost:9999', 'http://localhost:9999'],
    ['tiwala:8080', 'http://tiwala:8080'],
  ])('are those of the visitor: %s', async (host, url) => {
    expect(await urlsOf(service.url, host)).toEqual([url, url, url, url])
  })

  test('are those of TIWALA_PUBLIC_URL, if it is set', async () => {
    const TIWALA_PUBLIC_URL = 'https://sandbox.example'
    const own = await startTestService({ TIWALA_PUBLIC_URL })
    const at = `http://localhost:${own.config.listeners[0]!.port}`
    expect(new Set(await urlsOf(at, '192.0.2.7'))).toEqual(new Set([TIWALA_PUBLIC_URL]))
    await own.close()
  })
})

describe('the sandbox', () => {
  test('200: bootstrap.json has exactly the documented fields and is not cached', async () => {
    const response = await fetch(`${service.url}/sandbox/bootstrap.json`)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(fieldsOf(bootstrap)).toEqual([
      'auth_url',
      'base_url',
      'citizen_url',
      'citizens',
      'member_token',
      'operator_token',
      'operator_url',
      'partner',
    ])
    expect(fieldsOf(bootstrap.partner)).toEqual([
      'name',
      'partner_code',
      'partner_secret',
      'secret_code',
      'secret_token',
      'webhook_secret',
    ])
    for (const citizen of bootstrap.citizens)
      expect(fieldsOf(citizen)).toEqual(['behavior', 'name', 'token', 'uniqid'])
  })

  test('200: the URLs are those of this server with the base paths of its documents', () => {
    const { base_url, auth_url, citizen_url, operator_url } = bootstrap
    const [citizenPath, operatorPath] = [documents['citizen-app'], documents.operator].map(
      ({ servers }) => new URL(servers[0]!.url).pathname,
    )
    expect([base_url, auth_url, citizen_url, operator_url]).toEqual([
      service.url,
      service.url,
      `${service.url}${citizenPath}`,
      `${service.url}${operatorPath}`,
    ])
  })

  test('200: the secrets have the documented formats', () => {
    const { secret_code, secret_token, partner_secret, webhook_secret } = bootstrap.partner
    expect(secret_code).toMatch(/^twc_[0-9A-Za-z]{20}$/)
    expect(secret_token).toMatch(/^twt_test_[0-9A-Za-z]{49}$/)
    expect(partner_secret).toMatch(/^tws_test_[0-9A-Za-z]{49}$/)
    expect(webhook_secret).toMatch(/^whsec_[0-9A-Za-z+/]+=*$/)
  })

  test('200: at least 12 citizens with four behaviors; the first is manual and has a passport', async () => {
    const { citizens } = bootstrap
    expect(citizens.length).toBeGreaterThanOrEqual(12)
    expect(new Set(citizens.map(({ uniqid }) => uniqid)).size).toBe(citizens.length)
    expect([...new Set(citizens.map(({ behavior }) => behavior))].toSorted()).toEqual([
      'accepts',
      'declines',
      'ignores',
      'manual',
    ])
    expect(citizens[0]!.behavior).toBe('manual')
    const { sso, signIn } = newcomer()
    const { passport } = await sso.signIn((await signIn(citizens[0]!.token)).body.exchange_code)
    expect(passport.passport_number).not.toBe('')
  })

  test('200: the partner has every scope, and its callback URL is the inbox of this server', async () => {
    const { profiles, sso, showQr, signIn } = newcomer()
    const { token, uniqid } = citizenWho('manual')
    expect((await profiles.requestAuthorization(await showQr(token, 'inquire'))).state).toBe('PENDING')
    expect((await profiles.profileByQr(await showQr(token, 'share'))).record.callback_url).toBe(
      `${service.url}/sandbox/inbox`,
    )
    const { exchange_code, redirect_url } = (await signIn(token)).body
    expect(new URL(redirect_url!).searchParams.get('exchange_code')).toBe(exchange_code)
    expect((await sso.signIn(exchange_code)).uniqid).toBe(uniqid)
  })

  test('200: the operator token has every scope', async () => {
    const { operator } = newcomer()
    const { body } = await operator('suspendPartner', {
      path: { partner_code: bootstrap.partner.partner_code },
    })
    expect(body.status).toBe('SUSPENDED')
    expect(
      (await operator('resumePartner', { path: { partner_code: bootstrap.partner.partner_code } })).body
        .status,
    ).toBe('ACTIVE')
    const { body: written } = await operator('upsertCitizen', {
      path: { uniqid: 'NEW-1' },
      body: { profile: { ...(await service.citizen()).profile, uniqid: 'NEW-1' }, passport: null },
    })
    expect(written.created).toBe(true)
  })

  test('200: some citizens accept or decline automatically, others never, others manually', async () => {
    const [manual, ignores, accepts, declines] = [
      await ask('manual'),
      await ask('ignores'),
      await ask('accepts'),
      await ask('declines'),
    ]
    await expect.poll(accepts.state, { timeout: 60_000, interval: 100 }).toBe('ACCEPTED')
    await expect.poll(declines.state, { timeout: 60_000, interval: 100 }).toBe('DECLINED')
    // This request was sent before the two that have ended by now.
    expect([await manual.state(), await ignores.state()]).toEqual(['PENDING', 'PENDING'])
    await newcomer().app(citizenWho('manual').token)('acceptAuthorization', {
      path: { tracking_no: manual.record.tracking_no },
    })
    expect(await manual.state()).toBe('ACCEPTED')
    await service.advance(300)
    expect(await ignores.state()).toBe('EXPIRED')
  })

  test('200: the citizens cover every format of the data', async () => {
    const all = await everyone()
    const some = (holds: (person: (typeof all)[number]) => boolean) => all.some(holds)
    for (const name of ['middle_name', 'suffix', 'foreign_address'] as const) {
      expect([
        name,
        some(({ profile }) => profile[name] === null),
        some(({ profile }) => Boolean(profile[name])),
      ]).toEqual([name, true, true])
    }
    expect(new Set(all.map(({ profile }) => profile.gender))).toEqual(new Set(['female', 'male']))
    const forms = {
      passport: some(({ signedIn }) => signedIn.passport.passport_number !== ''),
      noPassport: some(({ signedIn }) => Object.values(signedIn.passport).every((value) => value === '')),
      postal: some(({ signedIn }) => signedIn.postal > 0),
      noPostal: some(({ signedIn }) => signedIn.postal === 0),
      secondAddressLine: some(({ profile }) => profile.address_line_2 !== ''),
      beyondAscii: some(({ profile }) => /[^\0-\x7f]/.test(profile.last_name)),
      apostrophe: some(({ profile }) => profile.first_name.includes("'")),
      longName: some(({ profile }) => profile.first_name.length > 40),
      leapDay: some(({ profile }) => profile.birth_date.endsWith('-02-29')),
      minor: some(({ profile }) => Date.parse(profile.birth_date) > Date.now() - 18 * 365.25 * 86_400_000),
      everythingNull: some(({ profile }) =>
        [profile.middle_name, profile.suffix, profile.foreign_address, profile.postal].every(
          (value) => value === null,
        ),
      ),
    }
    expect(Object.entries(forms).filter(([, present]) => !present)).toEqual([])
  })

  test('200: every photo is served, each a different one', async () => {
    const photos = await Promise.all((await everyone()).map(({ profile }) => fetch(profile.photo)))
    for (const photo of photos)
      expect([photo.status, photo.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^image\//),
      ])
    expect(new Set(await Promise.all(photos.map((photo) => photo.text()))).size).toBe(
      bootstrap.citizens.length,
    )
  })
})
