// Pairs of requests that get the same refusal. The time of the response must not tell them apart.
import { sql } from 'kysely'
import { createCredentialClient } from '../src/kit/credential-client.ts'
import { refusal, type TestService } from '../src/kit/test-service.ts'
import { secretsOf } from '../src/kit/valid-requests.ts'
import type { TimedRequest } from './measure-pairs.ts'

/**
 * `cause`: why the times differ, and why this tells a caller nothing new. `pairs`: how many are enough, if
 * not the usual number.
 */
export type TimingPair = {
  what: string
  first: TimedRequest
  second: TimedRequest
  cause?: string
  pairs?: number
}

const CODES_ARE_NOT_SECRET =
  'The secrets of an unknown partner are not read. A partner code is public, and a secret code has ' +
  '119 random bits.'

const LOCKED_ROWS =
  'The same statements run, but they find rows and lock them, for 0.1 ms. That is less than the jitter of ' +
  'a network, and the value expires soon.'

/** The text with its last character changed. Its form stays valid. */
const changed = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

export async function createTimingPairs(service: TestService): Promise<TimingPair[]> {
  const { list, rotate, revoke } = createCredentialClient(service)
  const [{ partner, citizen }, foreign] = [await service.pending(), await service.pending()]
  // The last characters of a secret are a checksum, so a wrong secret is a secret of another partner.
  const { secret_token: wrongToken, partner_secret: wrongSecret } = (await service.partner()).credentials

  const withToken = (secretToken: string, secretCode: string): TimedRequest => ({
    id: 'readPartnerSelf',
    parts: { headers: { 'X-Secret-Code': secretCode, 'X-Secret-Token': secretToken } },
  })
  const inquire = (trackingNo: string): TimedRequest => ({
    id: 'inquire',
    parts: { headers: partner.headers, query: `tracking_no=${trackingNo}` },
  })
  const read = (tracking_no: string): TimedRequest => ({
    id: 'readAuthorization',
    parts: { headers: bearer(citizen.token), path: { tracking_no } },
  })
  const diagnose = (request_id: string): TimedRequest => ({
    id: 'readDiagnosis',
    parts: { headers: partner.headers, path: { request_id } },
  })
  const request = (qr_value: string): TimedRequest => ({
    id: 'requestAuthorization',
    parts: { headers: partner.headers, fields: { qr_value } },
  })
  const view = (qr_value: string): TimedRequest => ({
    id: 'profileByQr',
    parts: { headers: partner.headers, query: `qr_value=${qr_value}` },
  })
  const exchange = (exchange_code: string, credentials = secretsOf(partner)): TimedRequest => ({
    id: 'generateToken',
    parts: { headers: {}, fields: { ...credentials, scope: 'SSO_AUTHENTICATION', exchange_code } },
  })
  const signIn = (token: string): TimedRequest => ({ id: 'authenticate', parts: { headers: bearer(token) } })

  /** A value whose row is gone, as housekeeping deletes it. */
  async function unknown(table: string, value: Promise<string>): Promise<string> {
    const issued = await value
    const newest = sql`select max(id) from ${sql.table(table)}`
    await sql`delete from ${sql.table(table)} where id = (${newest})`.execute(service.db)
    return issued
  }
  const issueToken = async () => partner.sso.generateToken(await citizen.exchangeCode(partner.code))
  const unknownQr = await unknown('qr_code', citizen.showQr())
  const unknownCode = await unknown('exchange_code', citizen.exchangeCode(partner.code))
  const unknownToken = await unknown('access_token', issueToken())

  const rotated = await service.partner()
  await rotate(rotated, 7)
  const oldest = (await list(rotated)).findLast(({ kind }) => kind === 'secret_token')
  await revoke(rotated, oldest!.id)

  const blocking = await service.citizen()
  const [blockedQr, blockedShareQr] = [await blocking.showQr(), await blocking.showQr('share')]
  const blockedCode = await blocking.exchangeCode(partner.code)
  const preferences = { frozen: false, blocked_partners: [partner.code] }
  await blocking.app('replacePreferences', { body: preferences })

  const ended = await service.partner()
  const endedToken = await ended.sso.generateToken(await citizen.exchangeCode(ended.code))
  const secret = (await list(ended)).find(({ kind }) => kind === 'partner_secret')
  await revoke(ended, secret!.id)

  const { requestId } = await refusal(foreign.partner.profiles.inquire('unknown'))
  const { secret_code, secret_token } = rotated.credentials
  const unknownPartner = { partner_code: 'UNKNOWN_1', partner_secret: wrongSecret }
  return [
    {
      what: 'readPartnerSelf: an unknown secret code, and a wrong secret token',
      first: withToken(wrongToken, changed(secret_code)),
      second: withToken(wrongToken, secret_code),
      cause: CODES_ARE_NOT_SECRET,
    },
    {
      what: 'readPartnerSelf: a wrong secret token, and a revoked one',
      first: withToken(wrongToken, secret_code),
      second: withToken(secret_token, secret_code),
    },
    {
      what: 'generateToken: an unknown partner code, and a wrong partner secret',
      first: exchange(unknownCode, unknownPartner),
      second: exchange(unknownCode, { ...unknownPartner, partner_code: partner.code }),
      cause: CODES_ARE_NOT_SECRET,
    },
    {
      what: 'inquire: an unknown tracking number, and one of another partner',
      first: inquire(changed(foreign.trackingNo)),
      second: inquire(foreign.trackingNo),
    },
    {
      what: 'readAuthorization: an unknown tracking number, and one of another citizen',
      first: read(changed(foreign.trackingNo)),
      second: read(foreign.trackingNo),
    },
    {
      what: 'readDiagnosis: an unknown request, and one of another partner',
      first: diagnose(changed(requestId!)),
      second: diagnose(requestId!),
      // Each of them pauses for 250 ms, of which 1 % is much.
      pairs: 500,
    },
    {
      what: 'requestAuthorization: an unknown QR value, and one of a citizen who blocks the partner',
      first: request(unknownQr),
      second: request(blockedQr),
      cause: LOCKED_ROWS,
    },
    {
      what: 'profileByQr: an unknown QR value, and one of a citizen who blocks the partner',
      first: view(unknownQr),
      second: view(blockedShareQr),
      cause: 'The same statements run, but they find rows, for 0.01 ms: less than the jitter of a network.',
    },
    {
      what: 'generateToken: an unknown exchange code, and one of a citizen who blocks the partner',
      first: exchange(unknownCode),
      second: exchange(blockedCode),
      cause: LOCKED_ROWS,
    },
    {
      what: 'generateToken: an unknown exchange code, and one of another partner',
      first: exchange(unknownCode),
      second: exchange(await citizen.exchangeCode(foreign.partner.code)),
      cause: 'The audit gets a row. Only a caller that already has the code of 256 bits can observe this.',
    },
    {
      what: 'authenticate: an unknown access token, and one whose secret was revoked',
      first: signIn(unknownToken),
      second: signIn(endedToken),
      cause: 'A row is found. Only a caller that already has the token of 256 bits can observe this.',
    },
  ]
}
