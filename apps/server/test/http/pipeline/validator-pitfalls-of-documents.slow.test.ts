// The pitfalls of express-openapi-validator with documents and paths; see also validator-pitfalls.test.ts.
import { fileURLToPath } from 'node:url'
import { type DocumentName, type OperationId, routes } from '@tiwala/contract'
import { locate, OPERATION_IDS } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { basePathOf, documents } from '../../../src/contract/documents.ts'
import { createValidator } from '../../../src/http/pipeline/validator.ts'
import { warmUp } from '../../../src/http/pipeline/warm-up.ts'
import { refusalOf, startServiceForFile } from '../../kit/api-client.ts'
import { liveOn } from '../../kit/live-settings.ts'
import { requestText, sendRaw } from '../../kit/raw-http.ts'
import { startProcess } from '../../kit/server-process.ts'
import { temporaryDatabase } from '../../kit/temporary-resources.ts'

const { service, api } = await startServiceForFile()

const names = Object.keys(documents) as DocumentName[]
const pathOf = (id: OperationId) => locate(id).path.replaceAll(/\{\w+\}/g, 'x')
const request = (method: string, path: string) =>
  fetch(service.url + path, { method, headers: api.asPartner })

describe('a faulty document stops the start', () => {
  type Schema = Record<string, unknown>
  type Paths = Record<string, Record<string, { security?: unknown }>>
  const schemas = documents.partner.components.schemas as unknown as Record<string, Schema>
  const boot = (name: DocumentName) =>
    warmUp(
      name,
      createValidator(
        name,
        Object.fromEntries(
          Object.keys(documents[name].components.securitySchemes).map((scheme) => [scheme, async () => true]),
        ),
      ),
    )

  test.each<[string, string, Schema]>([
    ['an unknown type in a request', 'QrSubmission', { type: 'nonsense' }],
    [
      'an unreadable pattern in a request',
      'TokenRequest',
      { type: 'object', properties: { scope: { type: 'string', pattern: '(' } } },
    ],
    ['a reference to nowhere in a response', 'SsoProfile', { $ref: '#/components/schemas/Nowhere' }],
    ['an unknown type in a response', 'Profile', { type: 'nonsense' }],
  ])('%s', async (_name, schema, faulty) => {
    const sound = schemas[schema]!
    schemas[schema] = faulty
    try {
      await expect(boot('partner')).rejects.toThrow('The partner document is not valid')
    } finally {
      schemas[schema] = sound
    }
  })

  const documented = { secretCode: [], secretToken: ['PROFILE_INQUIRE'] }
  test.each([
    ['another scheme', [{ accessToken: ['PROFILE_INQUIRE'] }]],
    ['one header of two', [{ secretCode: [] }]],
    ['no credentials', []],
    ['an alternative without credentials', [documented, {}]],
    ['an alternative with one header of two', [documented, { secretCode: [] }]],
    ['no scope', [{ ...documented, secretToken: [] }]],
    ['another scope', [{ ...documented, secretToken: ['PROFILE_VIEW'] }]],
    ['a further scope', [{ ...documented, secretToken: ['PROFILE_INQUIRE', 'PROFILE_VIEW'] }]],
  ])('another authentication than that of operations.ts: %s', async (_what, security) => {
    const operation = (documents.partner.paths as unknown as Paths)[routes.partner.inquire.path]!['get']!
    const own = operation.security
    operation.security = security
    try {
      await expect((async () => boot('partner'))()).rejects.toThrow('different authentication for inquire')
    } finally {
      if (own) operation.security = own
      else delete operation.security
    }
  })

  const session = { memberSession: ['admin'] }
  test.each([
    ['a token with another role', [session, { memberToken: ['viewer'] }]],
    ['no token', [session]],
    ['an alternative without credentials', [session, { memberToken: ['admin'] }, {}]],
  ])('another authentication of members than that of operations.ts: %s', async (_what, security) => {
    const operation = (documents.workbench.paths as unknown as Paths)[routes.workbench.inviteMember.path]![
      'post'
    ]!
    const own = operation.security
    operation.security = security
    try {
      await expect((async () => boot('workbench'))()).rejects.toThrow(
        'different authentication for inviteMember',
      )
    } finally {
      operation.security = own
    }
  })

  test('a validator that refuses nothing stops the start', () =>
    expect(warmUp('partner', [])).rejects.toThrow('refuses nothing'))

  test('control: a correct document does not stop the start', () =>
    expect(boot('partner')).resolves.toBeUndefined())

  test('a live server checks the documents when it starts', async () => {
    await using database = await temporaryDatabase()
    const breakDocument = fileURLToPath(new URL('../../kit/break-document.ts', import.meta.url))
    await using server = await startProcess(liveOn(database.url), ['--import', breakDocument])
    expect(await server.exited).toBe(1)
    expect(server.stderr()).toContain('The partner document is not valid')
  })
})

test.each(names)('the %s document is one bundle, and the validator can check responses with it', (name) => {
  const text = JSON.stringify(documents[name])
  const elsewhere = [...text.matchAll(/"\$ref":"([^"]+)"/g)]
    .map(([, ref]) => ref!)
    .filter((ref) => !ref.startsWith('#/components/'))
  expect([elsewhere, documents[name].openapi, text.includes('prefixItems')]).toEqual([
    [],
    expect.stringMatching(/^3\.1\./),
    false,
  ])
})

test.each(names)('404: the paths of the %s document are served only under its base path', async (name) => {
  const shapesOf = (document: DocumentName) =>
    Object.keys(documents[document].paths).map((path) => path.replaceAll(/\{\w+\}/g, 'x'))
  const served = names.flatMap((document) =>
    Object.keys(documents[document].paths).map(
      (path) => new RegExp(`^${basePathOf(document)}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    ),
  )
  for (const item of Object.values(documents[name].paths)) expect(item).not.toHaveProperty('servers')
  for (const path of shapesOf(name)) {
    expect(await refusalOf(request('OPTIONS', basePathOf(name) + path))).toBe('405 method_not_allowed')
    for (const elsewhere of ['/x', ...names.map(basePathOf)]
      .map((prefix) => prefix + path)
      .filter((there) => !served.some((pattern) => pattern.test(there))))
      expect([elsewhere, await refusalOf(request('OPTIONS', elsewhere))]).toEqual([
        elsewhere,
        '404 not_found',
      ])
  }
})

test.each(OPERATION_IDS)(
  '405: %s has no HEAD and no OPTIONS, and the response names the allowed method',
  async (id) => {
    const head = await request('HEAD', pathOf(id))
    expect([head.status, await head.text(), head.headers.get('allow')]).toEqual([
      405,
      '',
      expect.stringContaining(locate(id).method),
    ])
    expect(await refusalOf(request('OPTIONS', pathOf(id)))).toBe('405 method_not_allowed')
  },
)

test('200, 404: unknown paths and the target * are not found; health checks work', async () => {
  for (const path of ['/unknown', '/%00', '/..%2f', '//x'])
    expect(await refusalOf(request('GET', path))).toBe('404 not_found')
  expect((await sendRaw(service.url, requestText('OPTIONS', '*'))).response?.status).toBe(404)
  expect((await request('GET', '/healthz')).status).toBe(200)
})

test('422: reserved characters in a QR value are accepted by the parser, encoded or not', async () => {
  for (const character of ":/?[]@!$'()*,;=") {
    for (const spelt of [character, encodeURIComponent(character)]) {
      expect([
        character,
        await refusalOf(api.send('profileByQr', { headers: api.asPartner, query: `qr_value=a${spelt}b` })),
      ]).toEqual([character, '422 qr_value_invalid'])
    }
  }
})

test('422: every violation is reported at once, under the field name of the request', async () => {
  const response = await api.send('generateToken', {
    json: { partner_code: 5, partner_secret: '', surplus: 1 },
  })
  const { errors } = (await response.clone().json()) as { errors: object }
  expect(await refusalOf(response)).toBe('422 validation_failed')
  expect(Object.keys(errors).toSorted()).toEqual([
    'exchange_code',
    'partner_code',
    'partner_secret',
    'scope',
    'surplus',
  ])
})

test('422: names that every object inherits are reported, too', async () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const response = await api.send('inquire', { headers: api.asPartner, query: `${name}=1` })
    expect(Object.keys(((await response.clone().json()) as { errors: object }).errors)).toEqual([name])
    expect(await refusalOf(response)).toBe('422 validation_failed')
  }
})

test.each(OPERATION_IDS)('404: %s is found only under the exact spelling of its path', async (id) => {
  const path = pathOf(id)
  const { method } = locate(id)
  const base = names.map(basePathOf).find((prefix) => prefix && path.startsWith(prefix)) ?? ''
  for (const other of [`${path}/`, path.toUpperCase(), base + path.slice(base.length).toUpperCase()]) {
    expect([other, await refusalOf(request(method, other))]).toEqual([other, '404 not_found'])
  }
})

test('400, 422: queries and forms hold plain strings, without nesting and type conversion', async () => {
  const inquireWith = (query: string) => refusalOf(api.send('inquire', { headers: api.asPartner, query }))
  expect(await inquireWith('tracking_no[a]=x')).toBe('422 validation_failed')
  expect(await inquireWith('tracking_no=x&tracking_no=x')).toBe('400 malformed_request')
  const submit = (body: string, type: string) =>
    refusalOf(api.send('requestAuthorization', { headers: { ...api.asPartner, 'Content-Type': type }, body }))
  expect(await submit('qr_value=5', 'application/x-www-form-urlencoded')).toBe('422 qr_value_invalid')
  expect(await submit('{"qr_value":5}', 'application/json')).toBe('422 validation_failed')
  expect(await submit('qr_value[a]=5', 'application/x-www-form-urlencoded')).toBe('422 validation_failed')
})

test('400: a NUL character, which PostgreSQL cannot store', async () => {
  expect(await refusalOf(api.inquire('a\0b'))).toBe('400 malformed_request')
  expect(await refusalOf(api.accept('a\0b'))).toBe('400 malformed_request')
})

test('200: path parameters are decoded', async () => {
  const uniqid = 'a|b@c=1'
  const profile = {
    ...(
      (await (await api.viewByQr(await api.issueQrValue('share'))).json()) as { data: { response: object } }
    ).data.response,
    uniqid,
  }
  const response = await api.send('upsertCitizen', {
    headers: api.asOperator,
    path: { uniqid },
    json: { profile, passport: null },
  })
  expect([response.status, await response.json()]).toEqual([200, { uniqid, created: true }])
})
