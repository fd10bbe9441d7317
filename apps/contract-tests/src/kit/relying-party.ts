// A partner that signs citizens in with openid-client, and a browser of a citizen. The citizen app reads the QR code
// from the picture.
import type { Schemas } from '@tiwala/contract'
import * as openid from 'openid-client'
import { decodeQR } from 'qr/decode.js'
import { createBrowser } from './browser.ts'
import type { TestService } from './test-service.ts'
import type { Citizen, Partner } from './users.ts'

export const REDIRECT_URI = 'https://partner.example/callback'

export const registration = (
  changes: Partial<Schemas['SignInRegistration']> = {},
): Schemas['SignInRegistration'] => ({
  redirect_uris: [REDIRECT_URI],
  post_logout_redirect_uris: ['https://partner.example/'],
  profile: 'standard',
  id_token_signed_response_alg: 'RS256',
  keys: [],
  jwks_url: null,
  purposes: [
    {
      name: 'default',
      text: 'To open your account.',
      items: ['given_name'],
      optional_items: ['family_name', 'email'],
      minimum_acr: null,
    },
  ],
  ...changes,
})

export const register = (
  operator: TestService['operator'],
  partner_code: string,
  changes: Partial<Schemas['SignInRegistration']> = {},
) => operator('setSignInRegistration', { path: { partner_code }, body: registration(changes) })

/** An authorization request of a partner that keeps nothing to check later. */
export const authorizationUrl = (url: string, clientId: string, redirectUri = REDIRECT_URI) =>
  new URL(
    `${url}/oidc/auth?${String(
      new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        code_challenge: '0'.repeat(43),
        code_challenge_method: 'S256',
      }),
    )}`,
  )

type Setup = {
  changes?: Partial<Schemas['SignInRegistration']>
  authentication?: openid.ClientAuth
  metadata?: { client_secret?: string | undefined; id_token_signed_response_alg?: string }
  partner?: Partner
}

export async function relyingParty(service: TestService, setup: Setup = {}) {
  const { changes, authentication, metadata = {}, partner = await service.partner() } = setup
  await register(service.operator, partner.code, changes)
  const config = await openid.discovery(
    new URL(`${service.url}/oidc`),
    partner.code,
    { client_secret: partner.credentials.partner_secret, ...metadata } as Partial<openid.ClientMetadata>,
    authentication,
    { execute: [openid.allowInsecureRequests] },
  )

  /** The authorization request, and what the partner checks later. */
  async function begin(
    parameters: Record<string, string> = {},
    { isPushed = false, DPoP = undefined as openid.DPoPHandle | undefined } = {},
  ) {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()]
    const request = {
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile email',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...parameters,
    }
    const url = isPushed
      ? await openid.buildAuthorizationUrlWithPAR(config, request, DPoP && { DPoP })
      : openid.buildAuthorizationUrl(config, request)
    return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } }
  }

  return { partner, config, begin }
}

/** A browser at the page of a request. */
export async function arrive(serviceUrl: string, url: URL, browser = createBrowser(serviceUrl)) {
  const page = await browser.open(url)
  const base = page.url.href
  return {
    url,
    browser,
    page,
    base,
    state: async () =>
      (await browser.request(`${base}/state`)).json() as Promise<{ next: string; is_opened: boolean }>,
    scan: async () => readQr(await (await browser.request(`${base}/qr.svg`)).text()),
    link: () => /code=(TWS2-[\w-]+)/.exec(page.text)![1]!,
    goOn: async () => (await browser.open(`${base}/continue`)).url,
  }
}

export type Arrived = Awaited<ReturnType<typeof arrive>>

/** The citizen scans the QR code of the page, and approves all items. */
export async function approve({ app }: Citizen, code: string, choose = (items: string[]) => items) {
  const { body: request } = await app('openSignIn', { body: { code } })
  const items = choose(request.items.map(({ item }) => item)) as Schemas['SignInItem'][]
  const { body } = await app('approveSignIn', { path: { sign_in_id: request.sign_in_id }, body: { items } })
  return body
}

/** The text of the QR code in a picture of `qr`: squares of one unit, each after the place of the one before. */
function readQr(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)![1])
  const scale = 4
  const data = new Uint8Array((size * scale) ** 2 * 4).fill(255)
  let [x, y] = [0, 0]
  for (const [, command, dx, dy] of svg.matchAll(/([Mm])(-?\d+)[ ,]?(-?\d+)/g)) {
    ;[x, y] = command === 'M' ? [Number(dx), Number(dy)] : [x + Number(dx), y + Number(dy)]
    for (let row = 0; row < scale; row++)
      for (let column = 0; column < scale; column++) {
        const pixel = ((y * scale + row) * size * scale + x * scale + column) * 4
        data.fill(0, pixel, pixel + 3)
      }
  }
  return decodeQR({ width: size * scale, height: size * scale, data })
}
