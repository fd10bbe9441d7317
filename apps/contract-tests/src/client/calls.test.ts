// The options of one call, the response beside its result, the environment and the log.
import { createPartnerClient, createSsoClient } from '@tiwala/client'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ACCEPTED, refusalBody } from '../kit/documented-responses.ts'
import { neverRespond, respond, startPeerForFile } from '../kit/scripted-peer.ts'
import { refusal } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS, UNKNOWN_PARTNER } from '../kit/unknown-credentials.ts'

const peer = await startPeerForFile()
const profiles = createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS })
const sso = createSsoClient({ authUrl: peer.url, ...UNKNOWN_PARTNER })
const accepted = respond(200, ACCEPTED.body, ACCEPTED.headers)
const busy = respond(502, '')

afterEach(() => void vi.unstubAllEnvs())

describe('the options of one call', () => {
  test('timeoutMs and maxRetries replace those of the client', async () => {
    peer.setScript(neverRespond)
    const attempts: string[] = []
    const observed = createPartnerClient({
      baseUrl: peer.url,
      ...UNKNOWN_CREDENTIALS,
      onResponse: ({ attempt, errorCode }) => void attempts.push(`${attempt} ${errorCode}`),
    })
    await expect(observed.inquire('x', { timeoutMs: 20, maxRetries: 1 })).rejects.toMatchObject({
      code: 'timeout',
    })
    expect(attempts).toEqual(['1 timeout', '2 timeout'])
  })

  test('maxRetries: 0 sends a list once', async () => {
    peer.setScript(busy)
    await refusal(profiles.listRecords({ limit: 5, maxRetries: 0 }))
    // A request of the test before, which did not wait for it, may arrive now.
    expect(peer.requests.filter((request) => /^GET \S+\?limit=5 /.test(request))).toHaveLength(1)
  })

  test('no option repeats a single-use code', async () => {
    peer.setScript(respond(503, refusalBody(503, 'unavailable')))
    const options = { maxRetries: 5 } as object
    await refusal(sso.signIn('x', options))
    await refusal(sso.authenticate('x', options))
    expect(peer.requests.filter((request) => request.startsWith('POST '))).toHaveLength(2)
  })
})

describe('withResponse', () => {
  test('200: gives the status and the headers, and sends nothing more', async () => {
    peer.setScript(respond(200, ACCEPTED.body, { ...ACCEPTED.headers, RateLimit: '"minute";r=9' }))
    const { data, response } = await profiles.inquire('x').withResponse()
    expect([data.state, response.status, response.headers.get('ratelimit')]).toEqual([
      'ACCEPTED',
      200,
      '"minute";r=9',
    ])
    expect(peer.requests).toHaveLength(1)
  })

  test('a refusal rejects once, and leaves no unhandled rejection', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    peer.setScript(respond(404, refusalBody(404, 'tracking_no_not_found')))
    const error = await refusal(profiles.inquire('x').withResponse())
    await new Promise(setImmediate)
    process.off('unhandledRejection', unhandled)
    expect([error.code, unhandled.mock.calls.length]).toEqual(['tracking_no_not_found', 0])
  })
})

describe('an error', () => {
  test('names its operation', async () => {
    peer.setScript(respond(404, refusalBody(404, 'tracking_no_not_found')))
    expect((await refusal(profiles.cancelAuthorization('x'))).operation).toBe('cancelAuthorization')
    peer.setScript(neverRespond)
    await expect(sso.generateToken('x', { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'timeout',
      operation: 'generateToken',
    })
  })

  test('a code of a newer service arrives as it is, and its status says whether to repeat', async () => {
    peer.setScript(respond(503, refusalBody(503, 'under_repair')), accepted)
    expect((await profiles.inquire('x')).state).toBe('ACCEPTED')
    peer.setScript(respond(422, refusalBody(422, 'under_repair')))
    const error = await refusal(profiles.inquire('x'))
    expect([error.code, error.isRetryable, peer.requests.length]).toEqual(['under_repair', false, 1])
  })
})

describe('the environment', () => {
  const SETTINGS = {
    TIWALA_BASE_URL: peer.url,
    TIWALA_SECRET_CODE: UNKNOWN_CREDENTIALS.secretCode,
    TIWALA_SECRET_TOKEN: UNKNOWN_CREDENTIALS.secretToken,
    TIWALA_AUTH_URL: peer.url,
    TIWALA_PARTNER_CODE: UNKNOWN_PARTNER.partnerCode,
    TIWALA_PARTNER_SECRET: UNKNOWN_PARTNER.partnerSecret,
  }

  test('has the addresses and the credentials of a client without options', async () => {
    for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(name, value)
    peer.setScript(busy)
    await refusal(createPartnerClient().requestAuthorization('x', { maxRetries: 0 }))
    await refusal(createSsoClient().signIn('x'))
    expect(peer.requests[0]).toContain(UNKNOWN_CREDENTIALS.secretToken)
    expect(peer.requests[1]).toContain(UNKNOWN_PARTNER.partnerSecret)
  })

  test.each(Object.keys(SETTINGS))('%s is missing: the error names it', (missing) => {
    for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(name, name === missing ? '' : value)
    const create = () => [createPartnerClient(), createSsoClient()]
    expect(create).toThrow(TypeError)
    expect(create).toThrow(missing)
  })
})

describe('TIWALA_LOG', () => {
  async function linesOf(level: string): Promise<string[]> {
    vi.stubEnv('TIWALA_LOG', level)
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    peer.setScript(accepted, respond(404, refusalBody(404, 'tracking_no_not_found')))
    await profiles.inquire('the-number-of-a-citizen')
    await refusal(profiles.inquire('the-number-of-a-citizen'))
    const lines = print.mock.calls.map(([line]) => String(line))
    print.mockRestore()
    return lines
  }

  test('info prints each attempt, without a value or a secret', async () => {
    const lines = await linesOf('info')
    expect(lines).toEqual([
      expect.stringMatching(/^tiwala inquire \(GET \S+, attempt 1\): 200, \d+ ms, req_\w+$/),
      expect.stringMatching(/^tiwala inquire .*: 404 tracking_no_not_found, \d+ ms, req_\w+$/),
    ])
    expect(lines.join()).not.toMatch(/the-number|twt_|twc_/)
  })

  test('error prints those that failed, and without a level there is no line', async () => {
    expect(await linesOf('error')).toHaveLength(1)
    expect(await linesOf('')).toEqual([])
  })
})
