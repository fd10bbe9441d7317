import { createPartnerClient, createSsoClient, type RequestEvent, type ResponseEvent } from '@tiwala/client'
import clientPackage from '@tiwala/client/package.json' with { type: 'json' }
import { locate } from '@tiwala/kit/operations'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { neverRespond, respond, startPeerForFile } from '../kit/scripted-peer.ts'
import { refusal, startServiceForFile } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS } from '../kit/unknown-credentials.ts'

const service = await startServiceForFile()
const peer = await startPeerForFile()

const REQUEST_ID = expect.stringMatching(/^req_[0-9A-Za-z]{22}$/) as string

/** A partner whose clients record their events, and the user agents and cache modes of their requests. */
async function observedPartner() {
  const { credentials } = await service.partner()
  const [requests, responses]: [RequestEvent[], ResponseEvent[]] = [[], []]
  const [userAgents, cacheModes] = [new Set<string | null>(), new Set<string>()]
  const options = {
    onRequest: (event: RequestEvent) => void requests.push(event),
    onResponse: (event: ResponseEvent) => void responses.push(event),
    fetch: (request: Request) => {
      userAgents.add(request.headers.get('user-agent'))
      cacheModes.add(request.cache)
      return fetch(request)
    },
  }
  const profiles = createPartnerClient({
    baseUrl: service.url,
    secretCode: credentials.secret_code,
    secretToken: credentials.secret_token,
    ...options,
  })
  const sso = createSsoClient({
    authUrl: service.url,
    partnerCode: credentials.partner_code,
    partnerSecret: credentials.partner_secret,
    ...options,
  })
  return { credentials, profiles, sso, requests, responses, userAgents, cacheModes }
}

describe('every call', () => {
  test('200: has a request ID, and two events without any secret or value', async () => {
    const { credentials, profiles, sso, requests, responses, userAgents, cacheModes } =
      await observedPartner()
    const citizen = await service.citizen()
    const [qrValue, exchangeCode] = [
      await citizen.showQr(),
      await citizen.exchangeCode(credentials.partner_code),
    ]
    const asked = await profiles.requestAuthorization(qrValue)
    const refused = await refusal(profiles.inquire('0'.repeat(26)))
    const results = [
      asked,
      await profiles.cancelAuthorization(asked.record.tracking_no),
      await profiles.waitForAcceptance(asked.record.tracking_no),
      await profiles.profileByQr(await citizen.showQr('share')),
      await profiles.listRecords(),
      await profiles.whoAmI(),
      await profiles.diagnose(refused.requestId!),
      await sso.signIn(exchangeCode),
    ]
    expect(results.map(({ requestId }) => requestId)).toEqual(results.map(() => REQUEST_ID))
    expect(responses.map(({ operation, status }) => [operation, status])).toEqual([
      ['requestAuthorization', 200],
      ['inquire', 404],
      ['cancelAuthorization', 200],
      ['inquire', 200],
      ['profileByQr', 200],
      ['listRecords', 200],
      ['readPartnerSelf', 200],
      ['readDiagnosis', 200],
      ['generateToken', 200],
      ['authenticate', 200],
    ])
    expect(requests).toEqual(
      responses.map(({ operation, method, path }) => ({ operation, method, path, attempt: 1 })),
    )
    expect(responses[1]).toMatchObject({ errorCode: 'tracking_no_not_found', requestId: refused.requestId })
    expect(responses.at(-1)).toEqual({
      operation: 'authenticate',
      ...locate('authenticate'),
      attempt: 1,
      durationMs: expect.any(Number),
      status: 200,
      requestId: results.at(-1)!.requestId,
      errorCode: undefined,
    })
    const logged = JSON.stringify([requests, responses])
    const secrets = [...Object.values(credentials), qrValue, exchangeCode, asked.record.tracking_no]
    expect(secrets.filter((secret) => logged.includes(secret))).toEqual([])
    expect(userAgents).toEqual(new Set([`tiwala-client/${clientPackage.version}`]))
    // A framework must not answer from a cache, nor store a profile in one.
    expect(cacheModes).toEqual(new Set(['no-store']))
  })

  test('a fetch that answers a repeated GET of one rendering from memory is not used so, as React does', async () => {
    const platformFetch = globalThis.fetch
    onTestFinished(() => void (globalThis.fetch = platformFetch))
    const answers = new Map<string, Promise<Response>>()
    globalThis.fetch = async (input, init) => {
      const { method, url } = input as Request
      if (method !== 'GET' || init?.signal) return platformFetch(input, init)
      answers.set(url, answers.get(url) ?? platformFetch(input, init))
      return (await answers.get(url)!).clone()
    }
    const [{ profiles }, citizen] = [await service.partner(), await service.citizen()]
    const { record } = await profiles.requestAuthorization(await citizen.showQr())
    expect((await profiles.inquire(record.tracking_no)).state).toBe('PENDING')
    await citizen.accept(record.tracking_no)
    expect((await profiles.inquire(record.tracking_no)).state).toBe('ACCEPTED')
  })

  test('200: a client uses the fetch of the platform as it is at each request', async () => {
    const { profiles } = await service.partner()
    const platformFetch = globalThis.fetch
    onTestFinished(() => void (globalThis.fetch = platformFetch))
    const replacement = vi.fn(platformFetch)
    globalThis.fetch = replacement
    await profiles.whoAmI()
    const call = [expect.any(Request), { signal: expect.any(AbortSignal) }]
    expect(replacement.mock.calls).toContainEqual(call)
  })

  test('the data of a sign-in is the documented profile alone', async () => {
    const { credentials, sso } = await observedPartner()
    const citizen = await service.citizen()
    const profile = await sso.signIn(await citizen.exchangeCode(credentials.partner_code))
    expect(JSON.stringify(profile)).not.toContain('req_')
    expect({ ...profile }).not.toHaveProperty('requestId')
  })
})

describe('hooks', () => {
  const observe = (options: object) => {
    const events: ResponseEvent[] = []
    const profiles = createPartnerClient({
      baseUrl: peer.url,
      ...UNKNOWN_CREDENTIALS,
      onResponse: (event) => void events.push(event),
      ...options,
    })
    return { profiles, events }
  }

  test('each attempt has its own event', async () => {
    peer.setScript(respond(502, ''), respond(404, ''))
    const { profiles, events } = observe({})
    await refusal(profiles.whoAmI())
    expect(events.map(({ attempt, status, errorCode }) => [attempt, status, errorCode])).toEqual([
      [1, 502, 'unexpected_answer'],
      [2, 404, 'unexpected_answer'],
    ])
  })

  test('without a response: timeout, and aborted', async () => {
    peer.setScript(neverRespond)
    const { profiles, events } = observe({ timeoutMs: 20, maxRetries: 0 })
    await expect(profiles.whoAmI()).rejects.toMatchObject({ code: 'timeout' })
    await expect(profiles.whoAmI({ signal: AbortSignal.timeout(5) })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    expect(events.map(({ status, requestId, errorCode }) => [status, requestId, errorCode])).toEqual([
      [undefined, undefined, 'timeout'],
      [undefined, undefined, 'aborted'],
    ])
  })

  test('each attempt has its event where the program may not read the environment, as in Deno', async () => {
    const { env } = process
    onTestFinished(() => void (process.env = env))
    peer.setScript(respond(404, ''))
    const { profiles, events } = observe({})
    process.env = new Proxy(env, {
      get(target, name) {
        if (name === 'TIWALA_LOG') throw new Error('Requires env access')
        return Reflect.get(target, name) as unknown
      },
    })
    await refusal(profiles.whoAmI())
    expect(events.map(({ status }) => status)).toEqual([404])
  })

  const throwing = () => {
    throw new Error('the log is full')
  }
  test.each([
    ['throws', throwing],
    ['rejects with', async () => throwing()],
  ])('what a hook %s reaches neither the caller nor the process', async (_what, hook) => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { credentials } = await service.partner()
    const profiles = createPartnerClient({
      baseUrl: service.url,
      secretCode: credentials.secret_code,
      secretToken: credentials.secret_token,
      onRequest: hook,
      onResponse: hook,
    })
    expect((await profiles.whoAmI()).partner_code).toBe(credentials.partner_code)
    await new Promise(setImmediate)
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })
})
