import { describe, expect, inject, test, vi } from 'vitest'
import { startFakeServer } from './fake-server.ts'
import { createCommand, tiwala } from './tiwala.ts'

const withUrl = (url: string, token = 'token') => ({
  env: { TIWALA_OPERATOR_URL: url, TIWALA_OPERATOR_TOKEN: token },
})

describe('exit code 0', () => {
  test('a sandbox on this machine supplies a token, and a message says so', async () => {
    const { exitCode, stderr } = await tiwala(['partner', 'list'], {
      env: { TIWALA_OPERATOR_URL: inject('operatorUrl') },
    })
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("sandbox's own administrator token")])
  })

  test('--token-file reads the token from standard input, --url sets the address', async () => {
    const argv = ['partner', 'list', '--all', '--url', `${inject('operatorUrl')}/`, '--token-file', '-']
    expect(await tiwala(argv, { stdin: `${inject('token')}\n`, env: {} })).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
  })
})

describe('an address without a scheme', () => {
  const { host, pathname } = new URL(inject('operatorUrl'))

  test.each([host, `${host}${pathname}`])('is http for this machine: %s', async (url) => {
    // Without a message about another page: other tests add partners.
    expect(await tiwala(['partner', 'list', '--all', '--url', url])).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    expect(await tiwala(['partner', 'list'], withUrl(url, inject('token')))).toMatchObject({ exitCode: 0 })
  })

  test.each([
    ['[::1]:1', 'http://[::1]:1'],
    ['127.0.0.1:1', 'http://127.0.0.1:1'],
    ['tiwala.invalid', 'https://tiwala.invalid'],
    ['tiwala.invalid:8443', 'https://tiwala.invalid:8443'],
  ])('%s is %s', async (given, url) => {
    expect(await tiwala(['partner', 'list'], withUrl(given))).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`cannot be reached at ${url}${pathname}`),
    })
  })
})

describe('exit code 1', () => {
  test('401: the message says where to get a token', async () => {
    const { exitCode, stderr } = await tiwala(
      ['partner', 'list'],
      withUrl(inject('operatorUrl'), 'no.such.token'),
    )
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/\(token_invalid, req_\w+\)\. Get a fresh token/),
    ])
  })

  test('403: the message names the scope that the command needs', async () => {
    const { exitCode, stderr } = await tiwala(
      ['key', 'list'],
      withUrl(inject('operatorUrl'), inject('scopelessToken')),
    )
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('needs a token with the scope keys:read')])
  })

  test('403: the message names both scopes that the command needs', async () => {
    const { exitCode, stderr } = await tiwala(
      createCommand('SCOPELESS'),
      withUrl(inject('operatorUrl'), inject('scopelessToken')),
    )
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('needs a token with the scopes partners:write and credentials:write'),
    ])
  })

  test('401, not 404: the address of a service alone is completed', async () => {
    const { exitCode, stderr } = await tiwala(
      ['partner', 'list'],
      withUrl(`${new URL(inject('operatorUrl')).origin}/`),
    )
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('token_invalid')])
  })

  test('404: the address is not that of the operator API', async () => {
    const { exitCode, stderr } = await tiwala(
      ['partner', 'list'],
      withUrl(`${new URL(inject('operatorUrl')).origin}/api`),
    )
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('ends in /operator/v1')])
  })

  test('422: each error is shown with the option that caused it', async () => {
    const { exitCode, stdout, stderr } = await tiwala(createCommand('lower', ''))
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^ {2}--code \(partner_code\): must match/m)
    expect(stderr).toMatch(/^ {2}--name: must/m)
  })
})

describe('exit code 2', () => {
  test.each([
    ['an unknown command', ['partnr', 'list'], "unknown command 'partnr'"],
    ['a missing verb', ['partner'], 'Usage: tiwala partner'],
    ['a missing argument', ['partner', 'show'], "missing required argument 'code'"],
    ['a missing option', ['partner', 'create', '--code', 'X'], "'--name <text>' not specified"],
    [
      'a value that is not a number',
      ['partner', 'list', '--limit', 'many'],
      "'--limit <number>' argument 'many' is invalid. Give a whole number.",
    ],
    [
      'a value that is not one of the choices',
      ['partner', 'list', '--status', 'GONE'],
      "'--status <text>' argument 'GONE' is invalid. Choose one of ACTIVE, SUSPENDED.",
    ],
    ['no option to change', ['partner', 'change', 'X'], 'at least one option'],
    [
      'an object that is not JSON',
      ['sign-in-registration', 'set', 'X', '--purpose', 'default'],
      'Give an object as JSON',
    ],
    [
      'a file that does not exist',
      ['citizen', 'import', '--file', '/no/such/file'],
      'Cannot use the file /no/such/file: ENOENT',
    ],
    [
      'a folder instead of a file with a token',
      ['partner', 'list', '--token-file', '/'],
      'Cannot use the file /: EISDIR. Check the path, the permissions and the free space.\n',
    ],
    ['an empty file with a token', ['partner', 'list', '--token-file', '-'], 'Standard input is empty.'],
    [
      'a folder instead of a file to import',
      ['citizen', 'import', '--file', '/'],
      'Cannot use the file /: EISDIR',
    ],
    [
      'a file that is not JSON',
      ['citizen', 'upsert', 'X', '--file', '-'],
      'Standard input does not hold JSON',
    ],
    [
      'an address of another scheme',
      ['partner', 'list', '--url', 'ftp://localhost:8080'],
      'The address is not an HTTP URL',
    ],
    ['a path', ['partner', 'list', '--url', '/api'], 'The address is not an HTTP URL'],
    [
      'an address with white space',
      ['partner', 'list', '--url', 'http://localhost:8080/operator/v1 '],
      'is not an HTTP URL',
    ],
    [
      'standard input for two options',
      ['citizen', 'import', '--file', '-', '--token-file', '-'],
      'can be read only once',
    ],
    ['no terminal for a confirmation', ['restore-complete'], 'add --yes'],
  ])('%s', async (_, argv, message) => {
    const { exitCode, stdout, stderr } = await tiwala(argv)
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)])
  })

  test.each([
    'http://ana:hunter2@localhost:8080/operator/v1',
    'ana:hunter2@localhost:8080',
    'ftp://ana:hunter2@localhost:8080',
    'http://localhost:8080/?key=hunter2',
    'http://localhost:8080/operator/v1#hunter2',
  ])('an address with more than an address, which is not repeated: %s', async (url) => {
    for (const { exitCode, stdout, stderr } of [
      await tiwala(['partner', 'list', '--url', url]),
      await tiwala(['partner', 'list'], withUrl(url)),
    ]) {
      expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining('is not an HTTP URL')])
      expect(stderr).not.toContain('hunter2')
    }
  })

  test('a file in another encoding', async () => {
    const argv = ['citizen', 'upsert', 'X', '--file', '-']
    const { exitCode, stderr } = await tiwala(argv, {
      stdin: Buffer.from('{"first_name":"Pe\xf1a"}', 'latin1'),
    })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Standard input is not UTF-8.')])
  })

  test('no token, and no sandbox that supplies one', async () => {
    const { url, close } = await startFakeServer(404)
    const { exitCode, stderr } = await tiwala(['partner', 'list'], { env: { TIWALA_OPERATOR_URL: url } })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('No token was given')])
    close()
  })

  test.each(['tiwala.invalid', 'localhost.invalid', '127.0.0.1.invalid'])(
    'no token, and %s is another machine, which is not asked for one',
    async (host) => {
      const env = { TIWALA_OPERATOR_URL: `http://${host}` }
      const { exitCode, stderr } = await tiwala(['partner', 'list'], { env })
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringMatching(/^Warning: the connection to \S+ has no TLS.*\nNo token was given/),
      ])
    },
  )
})

describe('exit code 3', () => {
  test('no server listens at the address', async () => {
    const { url, close } = await startFakeServer(200)
    close()
    const { exitCode, stderr } = await tiwala(['partner', 'list'], withUrl(url))
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`cannot be reached at ${url}`)])
  })

  test('503: the message names the part that is away, as the service reports it', async () => {
    const { url, close } = await startFakeServer(503, { database: 'unavailable', operator_identity: 'ok' })
    const { exitCode, stderr } = await tiwala(['partner', 'list'], withUrl(url))
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringMatching(
        /Why: the database cannot be reached\. On the machine of the service: tiwala doctor\./,
      ),
    ])
    close()
  })

  test('a request may take 60 s, so that a batch of an import arrives, and the question why it failed 2 s', async () => {
    const timeOuts = vi.spyOn(AbortSignal, 'timeout')
    const { url, close } = await startFakeServer(503, { database: 'unavailable' })
    await tiwala(['partner', 'list'], withUrl(url))
    await tiwala(['partner', 'list'], { env: { TIWALA_OPERATOR_URL: url } })
    expect(timeOuts.mock.calls).toEqual([[60_000], [2_000], [60_000]])
    timeOuts.mockRestore()
    close()
  })

  test('502: another server responds', async () => {
    const { url, close } = await startFakeServer(502)
    const { exitCode, stderr } = await tiwala(['partner', 'list'], withUrl(url))
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining(
        'The response is not from the service (HTTP 502). Check the address and the proxy.',
      ),
    ])
    close()
  })
})
