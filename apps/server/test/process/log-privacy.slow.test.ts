import { locate } from '@tiwala/kit/operations'
// Data of citizens and partners never reach the log, for every failure and at every log level.
import pg from 'pg'
import { expect, test } from 'vitest'
import { createApiClient } from '../kit/api-client.ts'
import { passport, profile } from '../kit/canary-citizen.ts'
import { requestText, sendRaw } from '../kit/raw-http.ts'
import { startProcess } from '../kit/server-process.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

const ALLOWED = new Set([
  'cause',
  'checkpoint',
  'code',
  'error',
  'fault',
  'host',
  'level',
  'method',
  'ms',
  'msg',
  'name',
  'operation',
  'partner',
  'reason',
  'request_id',
  'root',
  'service',
  'status',
  'time',
  'trace_id',
  'version',
])

test('a journey with every failure at debug level logs no personal data and no secret', async () => {
  await using database = await temporaryDatabase()
  await using server = await startProcess({
    ...database.settings,
    LOG_LEVEL: 'debug',
    TIWALA_POLL_INTERVAL_SECONDS: '0',
  })
  await server.ready
  const api = await createApiClient(server.url)
  const [{ uniqid, token }, admin] = [api.citizens[0]!, new pg.Client(database.url)]
  await admin.connect()

  const statuses: number[] = []
  const { partner_code, ...partnerSecrets } = api.partner
  const canaries = new Set<string>([
    uniqid,
    token,
    api.operator_token!,
    ...Object.values(partnerSecrets),
    ...Object.values({ ...profile, ...passport }).map(String),
    ...Object.values(profile).map(String),
    '07/23/1961',
  ])
  const addCanaries = (...secrets: string[]) => secrets.forEach((secret) => canaries.add(secret))
  const request = async (pendingResponse: Promise<Response>) => {
    const response = await pendingResponse
    statuses.push(response.status)
    return response.text()
  }

  // Requests that succeed.
  await request(
    api.send('upsertCitizen', {
      headers: api.asOperator,
      path: { uniqid },
      json: { profile: { ...profile, uniqid }, passport },
    }),
  )
  const created = JSON.parse(
    await request(
      api.send('createPartner', {
        headers: api.asOperator,
        json: {
          partner_code: 'CANARY_CODE',
          name: 'Canary Incorporated',
          purpose: 'canary-purpose',
          scopes: ['PROFILE_VIEW'],
          callback_url: 'https://canary-callback.example/',
        },
      }),
    ),
  ) as { credentials: Record<string, string> }
  const { secret_code, secret_token, partner_secret } = created.credentials as {
    secret_code: string
    secret_token: string
    partner_secret: string
  }
  addCanaries(secret_code, secret_token, partner_secret, 'canary-purpose', 'canary-callback')
  const [trackingNo, shared, code] = [
    await api.createPendingRecord(),
    await api.issueQrValue('share'),
    await api.issueExchangeCode(),
  ]
  await request(api.accept(trackingNo))
  const inquired = await request(api.inquire(trackingNo))
  await request(api.viewByQr(shared))
  const { access_token } = JSON.parse(await request(api.redeemExchangeCode(code))) as { access_token: string }
  addCanaries(trackingNo, shared, code, access_token)
  const signedIn = await request(api.signIn(access_token))
  // Control: the values passed through the process.
  expect(
    [...Object.values(profile), ...Object.values(passport)].filter(
      (value) => !(inquired + signedIn).includes(String(value)),
    ),
  ).toEqual([])
  expect(statuses).toEqual([200, 201, 200, 200, 200, 200, 200])

  // Requests with client errors.
  const canaryHeaders = {
    'User-Agent': 'canary-agent',
    Cookie: 'canary-cookie=1',
    Referer: 'https://canary-referer.example/',
    'X-Forwarded-For': '203.0.113.99',
    'X-Request-Id': 'canary-request-id',
    traceparent: 'canary-trace',
    tracestate: 'canary=trace',
  }
  addCanaries(
    'canary-agent',
    'canary-cookie',
    'canary-referer',
    '203.0.113.99',
    'canary-request-id',
    'canary-trace',
    'canary=trace',
    'canary-query',
    'canary-body',
    'canary-path',
    'canary-bearer',
    'canary-raw',
    'canary-method',
  )
  await request(api.redeemExchangeCode(code))
  await request(api.signIn(access_token))
  await request(api.viewByQr('canary-query'))
  await request(
    api.send('inquire', {
      headers: { ...api.asPartner, ...canaryHeaders },
      query: { 'canary-query': 'canary-query' },
    }),
  )
  await request(
    api.send('inquire', {
      headers: {
        'X-Secret-Code': secret_code,
        'X-Secret-Token': api.partner.secret_token,
        Forwarded: 'for=203.0.113.99',
      },
      query: { tracking_no: trackingNo },
    }),
  )
  await request(
    api.send('generateToken', {
      headers: { 'Content-Type': 'application/json' },
      body: '{"canary-body": "canary-body',
    }),
  )
  await request(api.send('generateToken', { json: { 'canary-body': 'canary-body', partner_secret } }))
  await request(api.signIn('canary-bearer'))
  await request(fetch(`${server.url}/canary-path?canary-query=1`))
  await sendRaw(server.url, `canary-raw\r\n\r\n`)
  await sendRaw(
    server.url,
    requestText('GET', locate('inquire').path, { 'X-Canary': 'canary-raw'.repeat(1_000) }),
  )

  // Server errors: a stored value is damaged; the database refuses a row and quotes it in its error.
  await admin.query(`update citizen set profile = 'canary-stored'`)
  addCanaries('canary-stored')
  const [second, unaccepted] = [await api.issueQrValue('share'), await api.createPendingRecord()]
  addCanaries(second, unaccepted)
  await request(api.viewByQr(second))
  await admin.query('alter table audit_event add constraint refuse check (false) not valid')
  await request(api.inquire(trackingNo))
  await request(api.accept(unaccepted))
  await admin.query('drop table exchange_code cascade')
  await request(api.redeemExchangeCode(code))
  expect(statuses.slice(7)).toEqual([422, 401, 422, 422, 401, 400, 422, 401, 404, 500, 500, 500, 500])
  await admin.end()
  expect(await server.end('SIGTERM')).toBe(0)

  const output = server.stdout() + server.stderr()
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect([...canaries].filter((canary) => output.includes(canary))).toEqual([])
  expect(canaries.size).toBeGreaterThan(60)
  expect([...new Set(lines.flatMap(Object.keys))].filter((key) => !ALLOWED.has(key))).toEqual([])
  // The field `partner` alone names partners, and the errors of each are found by it.
  expect(lines.map((line) => JSON.stringify({ ...line, partner: undefined })).join('')).not.toMatch(
    new RegExp(`"(CANARY_CODE|${partner_code})"`),
  )
  const errorsOf = (name: string) =>
    lines.flatMap(({ partner, error }) => (partner === name && error ? [error] : []))
  expect(errorsOf('CANARY_CODE')).toEqual(['credentials_invalid'])
  expect(errorsOf(partner_code)).toContain('token_used')
  // One warning names the setting, however many requests have a forwarding header.
  expect(lines.filter(({ msg }) => String(msg).includes('TIWALA_TRUSTED_PROXIES'))).toHaveLength(1)
  // Control: the log exists, and a request can be found by its id.
  expect(lines.filter(({ request_id }) => String(request_id).startsWith('req_')).length).toBeGreaterThan(
    statuses.length,
  )
  expect(lines.filter(({ status, fault }) => status === 500 && fault).length).toBe(4)
})
