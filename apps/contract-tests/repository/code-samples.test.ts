import { routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { withCodeSamples } from '../../../packages/contract/generator/code-samples/code-samples.ts'
import { documents } from '../src/contract-check/documents.ts'
import { flatDocument } from '../src/contract-check/flat-document.ts'

type Sample = { lang: string; label: string; source: string }

const LANGUAGES = ['JavaScript', 'Shell', 'Python', 'PHP', 'Java', 'Go', 'C#']

describe.each(Object.entries(routes.partner))('%s', (_id, { method, path }) => {
  const operation = documents.partner.paths[path]![method] as unknown as { 'x-codeSamples': Sample[] }
  const samples = operation['x-codeSamples']

  test('it has a sample in each language', () => {
    expect(samples.map(({ lang }) => lang)).toEqual(LANGUAGES)
  })

  test('each sample reads the credentials from the variables of the guides', () => {
    for (const { source } of samples)
      expect(source).not.toMatch(/(?<!TIWALA_)\b(?:SECRET_CODE|SECRET_TOKEN|PARTNER_CODE|PARTNER_SECRET)\b/)
  })

  test('the sample of the client is a call of its method', () => {
    expect(
      samples[0],
      'write its method in packages/client/src/, with @operation and @example, then npm run generate',
    ).toMatchObject({
      label: '@tiwala/client',
      source: expect.stringMatching(/await tiwala\.\w+\(/),
    })
  })

  test('the sample of the client has no syntax of TypeScript', () => {
    const { source } = samples.find(({ lang }) => lang === 'JavaScript')!
    expect(source).not.toMatch(/![,)]/)
  })

  test('each sample has the address that the server replaces by its own, and no secret', () => {
    for (const { source } of samples) {
      expect(source).toContain('http://localhost:8080')
      expect(source).not.toMatch(/tw[acst]_|whsec_|undefined|\[object|ENV_/)
    }
  })
})

test('the document for generators has no samples', () => {
  expect(JSON.stringify(flatDocument)).not.toContain('x-codeSamples')
})

describe('an operation that our client does not have', () => {
  const samplesOf = (operation: object) => {
    const security = [{ secretCode: [], secretToken: [] }]
    const item = { post: { operationId: 'someOperation', security, responses: {}, ...operation } }
    const document = {
      servers: [{ url: 'http://localhost:8080' }],
      security: [],
      paths: { '/some/{id}': item },
    }
    const { paths } = withCodeSamples(document as object, true) as { paths: Record<string, typeof item> }
    const { 'x-codeSamples': samples } = paths['/some/{id}']!.post as unknown as { 'x-codeSamples': Sample[] }
    return new Map(samples.map(({ lang, source }) => [lang, source]))
  }
  const query = ['state', 'q', 'left_out'].map((name) => ({ name, in: 'query' }))
  const parameters = [
    { name: 'id', in: 'path', required: true, example: 'a/b' },
    { ...query[0], example: 'PENDING' },
    { ...query[1], example: 'a b&"c' },
    query[2],
    { name: 'tag', in: 'query', example: ['x', 'y'] },
    { name: 'ids', in: 'query', explode: false, example: [1, 2] },
    { name: 'flag', in: 'query', examples: { on: { value: true } } },
    { name: 'Prefer', in: 'header', example: 'wait=25' },
  ]
  const content = { 'application/json': { example: { name: 'Señor "X"', limits: { per_day: 1 } } } }

  test('each sample has all query parameters with an example, escaped', () => {
    for (const source of samplesOf({ parameters }).values()) {
      expect(source).toContain(
        'http://localhost:8080/some/a%2Fb?state=PENDING&q=a%20b%26%22c&tag=x&tag=y&ids=1%2C2&flag=true',
      )
      expect(source).not.toContain('left_out')
    }
  })

  test('each sample has the headers and the credentials', () => {
    for (const source of samplesOf({ parameters }).values())
      for (const name of ['Prefer', 'X-Secret-Code', 'TIWALA_SECRET_CODE', 'TIWALA_SECRET_TOKEN'])
        expect(source).toContain(name)
  })

  test('each sample reads from variables what only one request can send', () => {
    const own = ['Idempotency-Key', 'If-Match', 'X-Csrf-Token'].map((name) => ({
      name,
      in: 'header',
      example: 'of the example',
    }))
    for (const source of samplesOf({ parameters: [...parameters, ...own] }).values()) {
      expect(source).not.toContain('of the example')
      for (const name of ['IDEMPOTENCY_KEY', 'ETAG', 'CSRF_TOKEN']) expect(source).toContain(name)
    }
    expect(samplesOf({ parameters: own }).get('Shell')).toContain('"Idempotency-Key: $IDEMPOTENCY_KEY"')
  })

  test('each sample has a JSON body', () => {
    for (const source of samplesOf({ requestBody: { content } }).values()) {
      expect(source).toMatch(/application\/json/i)
      expect(source).toMatch(/per_day\\?["']?(?::| =>) ?1/)
    }
  })

  test('the sample in PHP reads a secret of a JSON body from its variable', () => {
    const secret = { 'application/json': { example: { partner_secret: '0123' } } }
    const source = samplesOf({ security: [], requestBody: { content: secret } }).get('PHP')
    expect(source).toContain(`'partner_secret' => getenv("TIWALA_PARTNER_SECRET")`)
  })

  test.each(["O'Brien", 'a\nb', 'C:\\temp', '$HOME'])('an example with the text %j is refused', (text) => {
    for (const parts of [
      { requestBody: { content: { 'application/json': { example: { name: [text] } } } } },
      { parameters: [{ name: 'q', in: 'query', example: text }] },
    ])
      expect(() => samplesOf(parts)).toThrow(/^The example .+ has a character that samples cannot have/)
  })

  test.each([[['x']], ['x']])('a body whose example is no object is refused: %j', (example) => {
    const body = { content: { 'application/json': { example } } }
    expect(() => samplesOf({ requestBody: body })).toThrow('The example of the body is no object.')
  })

  test('a bearer token is joined with its variable', () => {
    const samples = samplesOf({ security: [{ accessToken: [] }] })
    expect(samples.get('PHP')).toContain('"Authorization: Bearer " . getenv("ACCESS_TOKEN")')
    expect(samples.get('Go')).toContain('"Bearer " + os.Getenv("ACCESS_TOKEN")')
    expect(samples.get('Shell')).toContain('"Authorization: Bearer $ACCESS_TOKEN"')
    expect(samples.get('JavaScript')).toContain('`Bearer ${process.env.ACCESS_TOKEN}`')
  })

  test('a program without credentials imports nothing to read them', () => {
    const samples = samplesOf({ security: [] })
    expect(samples.get('Go')).not.toContain('"os"')
    expect(samples.get('Python')).not.toContain('import os')
    expect(samplesOf({}).get('Go')).toContain('"os"')
  })

  test('curl sends a form with files as multipart', () => {
    const multipart = { 'multipart/form-data': { example: { qr_value: 'TWQ' } } }
    expect(samplesOf({ requestBody: { content: multipart } }).get('Shell')).toContain('--form qr_value=TWQ')
  })
})
