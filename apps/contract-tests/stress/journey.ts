// What one partner and one citizen can do, as a model, beside the service. An action has a number that says
// what it acts on, so a journey is plain data: `[['showInquireQr', 0], ['request', 0], ['accept', 0]]`.
import { createPartnerClient, createSsoClient } from '@tiwala/client'
import type { Schemas } from '@tiwala/contract'
import { CREDENTIAL_KINDS, createCredentialClient } from '../src/kit/credential-client.ts'
import { refusal, type TestService } from '../src/kit/test-service.ts'

const LIFETIME_SECONDS = 2_000
export const JOURNEY_SETTINGS = {
  TIWALA_QR_RETRY_SECONDS: '0',
  TIWALA_QR_TTL_SECONDS: String(LIFETIME_SECONDS),
  TIWALA_AUTHORIZATION_TTL_SECONDS: String(LIFETIME_SECONDS),
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: String(LIFETIME_SECONDS),
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: String(LIFETIME_SECONDS),
  TIWALA_RESULT_TTL_SECONDS: String(LIFETIME_SECONDS * 1000),
}

type Kind = Schemas['CredentialKind']
type Purpose = Schemas['QrPurpose']
type Secret = { value: string; kind: Kind; isActive: boolean }
type Qr = { value: string; purpose: Purpose; isLive: boolean }
type Code = { value: string; isLive: boolean; token?: Token }
type Token = { value: string; state: 'live' | 'used' | 'expired' | 'revoked'; secret: Secret }
type Entry = { trackingNo: string; state: string }

/** A state, `OK`, or the code of a refusal. */
type Outcome = { expected: string; actual: string }
/** `undefined`: there is nothing to act on. */
type Act = (index: number) => Promise<Outcome | undefined>

const OF_UNUSABLE = { used: 'token_used', expired: 'token_expired', revoked: 'token_invalid' }

/** `OK`, or the code of the refusal. */
const outcomeOf = <T>(call: Promise<T>, read: (result: T) => string = () => 'OK'): Promise<string> =>
  call.then(read, () => refusal(call).then(({ code }) => code))

export async function startJourney(service: TestService) {
  const [partner, citizen] = [await service.partner(), await service.citizen()]
  const credentials = createCredentialClient(service)
  const [qrs, entries, codes, tokens]: [Qr[], Entry[], Code[], Token[]] = [[], [], [], []]
  const secrets = (['secret_token', 'partner_secret'] as const).map((kind): Secret => ({
    value: partner.credentials[kind],
    kind,
    isActive: true,
  }))
  const activeOf = (kind: Kind) => secrets.find((secret) => secret.kind === kind && secret.isActive)!

  const profiles = () => {
    const { secret_code: secretCode } = partner.credentials
    const secretToken = activeOf('secret_token').value
    return createPartnerClient({ baseUrl: service.url, secretCode, secretToken, maxRetries: 0 })
  }
  const sso = () => {
    const partnerSecret = activeOf('partner_secret').value
    return createSsoClient({ authUrl: service.url, partnerCode: partner.code, partnerSecret })
  }

  /** An action on one of these, if there are any. */
  const on =
    <T>(all: T[], act: (one: T) => Promise<Outcome>): Act =>
    async (index) =>
      all.length > 0 ? act(all[index % all.length]!) : undefined

  const show = (purpose: Purpose): Act => {
    return async () => {
      qrs.push({ value: await citizen.showQr(purpose), purpose, isLive: true })
      return undefined
    }
  }

  /** Sends a QR value. It works once, for these purposes. */
  const present = (
    purposes: Purpose[],
    state: string,
    send: (value: string) => Promise<{ record: { tracking_no: string } }>,
  ): Act =>
    on(qrs, async (qr) => {
      const isRight = qr.isLive && purposes.includes(qr.purpose)
      const actual = await outcomeOf(send(qr.value), ({ record }) => {
        entries.push({ trackingNo: record.tracking_no, state })
        return 'OK'
      })
      if (isRight) qr.isLive = false
      return { expected: isRight ? 'OK' : 'qr_value_invalid', actual }
    })

  /** Changes a record from one of these states. Again, it changes nothing. */
  const change = (from: string[], to: string, send: (trackingNo: string) => Promise<unknown>): Act =>
    on(entries, async (entry) => {
      const isAllowed = [...from, to].includes(entry.state)
      if (isAllowed) entry.state = to
      return {
        expected: isAllowed ? 'OK' : 'authorization_not_pending',
        actual: await outcomeOf(send(entry.trackingNo)),
      }
    })

  const exchange = on(codes, async (code) => {
    // A code that is sent again ends its token if more than a second has passed.
    if (code.token) await service.advance(2)
    const isRight = code.isLive && !code.token
    const actual = await outcomeOf(sso().generateToken(code.value), (value) => {
      code.token = { value, state: 'live', secret: activeOf('partner_secret') }
      tokens.push(code.token)
      return 'OK'
    })
    if (!isRight && code.token) code.token.state = 'revoked'
    return { expected: isRight ? 'OK' : 'exchange_code_invalid', actual }
  })

  const signIn = on(tokens, async (token) => {
    const state = token.secret.isActive ? token.state : 'revoked'
    if (state === 'live') token.state = 'used'
    const actual = await outcomeOf(sso().authenticate(token.value))
    return { expected: state === 'live' ? 'OK' : OF_UNUSABLE[state], actual }
  })

  /** `isRevoked`: the old secret is revoked within its grace period. */
  const replace = (kind: Kind, isRevoked: boolean): Act => {
    return async () => {
      const { secret } = await credentials.rotate(partner, isRevoked ? 7 : 0, kind)
      if (isRevoked) {
        const [, old] = (await credentials.list(partner)).filter((each) => each.kind === kind)
        await credentials.revoke(partner, old!.id)
      }
      activeOf(kind).isActive = false
      secrets.push({ value: secret, kind, isActive: true })
      return undefined
    }
  }

  const useSecret = on(secrets, async ({ value, kind, isActive }) => {
    const { attempt, right, wrong } = CREDENTIAL_KINDS.find((each) => each.kind === kind)!
    return {
      expected: String(isActive ? right : wrong),
      actual: String(await credentials[attempt](partner, value)),
    }
  })

  async function expire(): Promise<undefined> {
    await service.advance(LIFETIME_SECONDS)
    for (const each of [...qrs, ...codes]) each.isLive = false
    for (const entry of entries) if (entry.state === 'PENDING') entry.state = 'EXPIRED'
    for (const token of tokens) if (token.state === 'live') token.state = 'expired'
  }

  const actions: Record<Action, Act> = {
    showInquireQr: show('inquire'),
    showShareQr: show('share'),
    request: present(['inquire', 'share'], 'PENDING', (value) => profiles().requestAuthorization(value)),
    view: present(['share'], 'VIEWED', (value) => profiles().profileByQr(value)),
    accept: change(['PENDING'], 'ACCEPTED', (trackingNo) => citizen.accept(trackingNo)),
    decline: change(['PENDING'], 'DECLINED', (trackingNo) => citizen.decline(trackingNo)),
    revoke: change(['ACCEPTED', 'VIEWED'], 'REVOKED', (trackingNo) => citizen.revoke(trackingNo)),
    cancel: change(['PENDING'], 'CANCELLED', (trackingNo) => profiles().cancelAuthorization(trackingNo)),
    inquire: on(entries, async ({ trackingNo, state }) => ({
      expected: state,
      actual: await outcomeOf(profiles().inquire(trackingNo), (inquired) => inquired.state),
    })),
    issueCode: async () => void codes.push({ value: await citizen.exchangeCode(partner.code), isLive: true }),
    exchange,
    signIn,
    rotateToken: replace('secret_token', false),
    revokeToken: replace('secret_token', true),
    rotateSecret: replace('partner_secret', false),
    revokeSecret: replace('partner_secret', true),
    useSecret,
    expire,
  }
  return (name: Action, index: number) => actions[name](index)
}

export const ACTIONS = [
  'showInquireQr',
  'showShareQr',
  'request',
  'view',
  'accept',
  'decline',
  'revoke',
  'cancel',
  'inquire',
  'issueCode',
  'exchange',
  'signIn',
  'rotateToken',
  'revokeToken',
  'rotateSecret',
  'revokeSecret',
  'useSecret',
  'expire',
] as const
export type Action = (typeof ACTIONS)[number]
