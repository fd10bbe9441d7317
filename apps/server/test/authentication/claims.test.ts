// Which requests count as those of a known caller.
import { randomBytes } from 'node:crypto'
import { type DocumentName, routes } from '@tiwala/contract'
import type { Request } from 'express'
import { describe, expect, test } from 'vitest'
import { addressOf, Claims } from '../../src/authentication/claims.ts'
import { basePathOf } from '../../src/contract/documents.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { mintAccessToken } from '../../src/sso/access-token.ts'

const ring = mintKeys()
const keys = createKeyRing(() => ring)

const send = (headers: Record<string, string>, { ip = '192.0.2.1', path = '/inquire' } = {}) =>
  ({ ip, path, headers }) as unknown as Request
const withSecret = (token: string, ip?: string) =>
  send({ 'x-secret-code': 'twc_1', 'x-secret-token': token }, { ...(ip && { ip }) })
const withAccessToken = () =>
  send(
    { authorization: `Bearer ${mintAccessToken(keys, 7).accessToken}` },
    { path: routes.partner.authenticate.path },
  )

test('a credential is known at the address from which it was authenticated, and nowhere else', () => {
  const claims = new Claims(keys)
  expect(claims.of(withSecret('right'))).toMatchObject({ caller: 'address 192.0.2.1', isKnown: false })
  claims.confirm(withSecret('right'), 'partner 7')
  expect(claims.of(withSecret('right'))).toMatchObject({ caller: 'partner 7', isKnown: true })
  expect(claims.of(withSecret('wrong'))).toMatchObject({ caller: 'address 192.0.2.1', isKnown: false })
  expect(claims.of(withSecret('right', '192.0.2.2'))).toMatchObject({ isKnown: false })
})

test('a credential that is refused is unknown again', () => {
  const claims = new Claims(keys)
  claims.confirm(withSecret('revoked'), 'partner 7')
  claims.withdraw(withSecret('revoked'))
  expect(claims.of(withSecret('revoked'))).toMatchObject({ caller: 'address 192.0.2.1', isKnown: false })
})

test('a refused access token does not change that the next one of its partner is known', () => {
  const claims = new Claims(keys)
  claims.confirm(withAccessToken(), 'partner 7')
  const refused = withAccessToken()
  claims.of(refused)
  claims.withdraw(refused)
  expect(claims.of(withAccessToken())).toMatchObject({ caller: 'partner 7', isKnown: true })
})

describe('every part of a credential counts', () => {
  const inBody = (body: unknown) =>
    ({ ...send({}, { path: routes.partner.generateToken.path }), body }) as unknown as Request
  const inHeaders = (code: string, token: string) => send({ 'x-secret-code': code, 'x-secret-token': token })
  /** `others`: headers of a partner, which do not count beside a bearer token. */
  const bearer = (document: DocumentName, authorization: string, others: Record<string, string> = {}) =>
    send({ authorization, ...others }, { path: `${basePathOf(document)}/anything` })

  test.each<[string, known: Request, same: Request, others: Request[]]>([
    [
      'code and secret in headers',
      inHeaders('twc_1', 'secret'),
      { ...inHeaders('twc_1', 'secret'), body: { partner_code: 'ignored' } } as Request,
      [inHeaders('twc_2', 'secret'), inHeaders('twc_1', 'other'), send({})],
    ],
    [
      'code and secret in the body',
      inBody({ partner_code: 'hotel', partner_secret: 'secret' }),
      inBody({ partner_code: 'hotel', partner_secret: 'secret', code: 'another one' }),
      [
        inBody({ partner_code: 'bank', partner_secret: 'secret' }),
        inBody({ partner_code: 'hotel', partner_secret: 'other' }),
        inBody({ partner_code: ['hotel'], partner_secret: 'secret' }),
        inBody(undefined),
      ],
    ],
    ...(['citizen-app', 'operator'] as const).map((document): [string, Request, Request, Request[]] => [
      `bearer token of ${document}`,
      bearer(document, 'Bearer token'),
      bearer(document, 'Bearer token', { 'x-secret-code': 'ignored', 'x-secret-token': 'ignored' }),
      [bearer(document, 'Bearer other'), bearer(document, '')],
    ]),
  ])('%s', (_what, known, same, others) => {
    const claims = new Claims(keys)
    const claim = { caller: 'partner 7', isKnown: true, fingerprint: claims.of(known).fingerprint }
    expect(claims.confirm(known, 'partner 7')).toEqual(claim)
    expect([claims.of(known), claims.of(same)]).toEqual([claim, claim])
    for (const other of others) expect(claims.of(other)).toMatchObject({ isKnown: false })
  })
})

test('an IPv6 address counts as its network of 64 bits, an IPv4 address as itself', () => {
  expect(addressOf({ ip: '2001:db8::1' })).toBe('2001:db8::/64')
  expect(addressOf({ ip: '2001:db8::ffff:1' })).toBe('2001:db8::/64')
  expect(addressOf({ ip: '2001:db8:0:1::1' })).toBe('2001:db8:0:1::/64')
  // One that no earlier test has used, so it is not known yet.
  const network = `2001:db8:${randomBytes(2).toString('hex').replace(/^0+/, '1')}:1::/64`
  expect(addressOf({ ip: network.replace('/64', '7') })).toBe(network)
  expect([addressOf({ ip: '192.0.2.1' }), addressOf({ ip: '192.0.2.2' })]).toEqual(['192.0.2.1', '192.0.2.2'])
})

test('of 20,000 known credentials none is forgotten; later the oldest are', () => {
  const claims = new Claims(keys)
  const confirm = (from: number, to: number) => {
    for (let n = from; n < to; n++) claims.confirm(withSecret(`secret ${n}`), 'partner 7')
  }
  const isKnown = (n: number) => claims.of(withSecret(`secret ${n}`)).isKnown
  confirm(0, 20_000)
  expect([isKnown(0), isKnown(19_999)]).toEqual([true, true])
  confirm(20_000, 20_001)
  expect([isKnown(0), isKnown(9_999), isKnown(10_000), isKnown(20_000)]).toEqual([false, false, true, true])
})
