// Commands that take hours: their token is renewed, and they go on where they stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { routes } from '@tiwala/contract'
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { tiwala } from './tiwala.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const example =
  operator.paths[routes.operator.upsertCitizen.path].put.requestBody.content['application/json'].examples
    .citizen.value

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'tiwala-long-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const environment = (others: object, url = inject('operatorUrl')) => ({
  env: { TIWALA_OPERATOR_URL: url, ...others },
})

/** A file of citizens with the line 1,700 wrong: three batches. */
async function writeCitizens(name: string): Promise<string> {
  const lines = Array.from({ length: 2_500 }, (_, index) =>
    JSON.stringify({ ...example, profile: { ...example.profile, uniqid: `${name}-${index + 1}` } }),
  )
  lines[1_699] = '{'
  const path = join(folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

/**
 * Forwards requests to the service. `afterStored`: after the service has handled the request of this number. The service
 * refuses the requests after the first `accepted`.
 */
async function startProxy(
  afterStored: (count: number) => Promise<void> | void = () => {},
  accepted = Infinity,
) {
  let count = 0
  const target = new URL(inject('operatorUrl'))
  const server = createServer(async (req, res) => {
    const body = await text(req)
    const own = ++count
    const { authorization, 'content-type': type } = req.headers
    const response = await fetch(new URL(req.url!, target), {
      method: req.method!,
      headers: {
        ...(authorization && { authorization: own > accepted ? 'Bearer expired' : authorization }),
        ...(type && { 'content-type': type }),
      },
      ...(body && { body }),
    })
    const answer = await response.text()
    await afterStored(own)
    res.writeHead(response.status, Object.fromEntries(response.headers)).end(answer)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`
  return { url, count: () => count, close: () => (server.closeAllConnections(), server.close()) }
}

test('401: the token command runs again when the token has expired, and the request is repeated once', async () => {
  const calls = join(folder, 'calls')
  const command = `echo call >> ${calls}; [ $(wc -l < ${calls}) -gt 1 ] && echo "$RENEWED" || echo expired`
  const renewed = await tiwala(
    ['key', 'list', '--token-command', command],
    environment({ RENEWED: inject('token') }),
  )
  expect([renewed.exitCode, await readFile(calls, 'utf8')]).toEqual([0, 'call\ncall\n'])
  await rm(calls)
  const refused = await tiwala(
    ['key', 'list'],
    environment({ TIWALA_OPERATOR_TOKEN_COMMAND: command, RENEWED: 'expired' }),
  )
  expect([refused.exitCode, await readFile(calls, 'utf8')]).toEqual([1, 'call\ncall\n'])
})

test('401: a token file is read again', async () => {
  const file = join(folder, 'token')
  await writeFile(file, 'expired')
  const proxy = await startProxy(() => writeFile(file, inject('token')))
  const { exitCode } = await tiwala(['key', 'list', '--token-file', file], environment({}, proxy.url))
  expect([exitCode, proxy.count()]).toEqual([0, 2])
  proxy.close()
})

test.each([
  ['echo "no session" >&2; exit 3', 'The token command ended with 3. no session'],
  ['true', 'The token command printed nothing.'],
  ['echo two words', 'The token is not valid.'],
])('2: a token command that fails: %s', async (command, message) => {
  const { exitCode, stderr } = await tiwala(['key', 'list', '--token-command', command], environment({}))
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('2: a token file and a token command', async () => {
  const argv = ['key', 'list', '--token-command', 'true', '--token-file', 'file']
  expect((await tiwala(argv, environment({}))).exitCode).toBe(2)
})

test('an import whose process was killed continues after the last batch that it knows to be stored', async () => {
  const path = await writeCitizens('KILLED')
  let child: ChildProcess | undefined
  const proxy = await startProxy((count) => void (count === 2 && child!.kill('SIGKILL')))
  child = spawn(process.execPath, [MAIN, 'citizen', 'import', '--file', path], {
    env: { ...process.env, TIWALA_OPERATOR_URL: proxy.url, TIWALA_OPERATOR_TOKEN: inject('token') },
  })
  await once(child, 'exit')
  expect([child.signalCode, await exists(`${path}.position`)]).toEqual(['SIGKILL', true])
  const argv = ['citizen', 'import', '--file', path, '--resume']
  const resumed = await tiwala(argv, environment({ TIWALA_OPERATOR_TOKEN: inject('token') }, proxy.url))
  expect(resumed).toEqual({
    exitCode: 1,
    stdout: 'line 1700: is not JSON\n',
    stderr: 'Continues after line 1000.\n1500 created, 999 replaced, 1 refused.\n',
  })
  // Two before, and two now.
  expect(proxy.count()).toBe(4)
  expect(await exists(`${path}.position`)).toBe(false)
  proxy.close()
})

test('an import that stops says how to continue, and continues only in the same file and service', async () => {
  const path = await writeCitizens('STOPPED')
  const file = join(folder, 'token')
  await writeFile(file, inject('token'))
  // The token expires after the first batch, and no newer one comes.
  const proxy = await startProxy(undefined, 1)
  const argv = ['citizen', 'import', '--file', path, '--token-file', file]
  const stopped = await tiwala(argv, environment({}, proxy.url))
  expect([stopped.exitCode, stopped.stderr]).toEqual([
    1,
    expect.stringMatching(/^Stopped after line 1000: 1000 created.* Add --resume to continue there/),
  ])
  proxy.close()
  const elsewhere = await tiwala([...argv, '--resume'], environment({}))
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([2, expect.stringContaining('without --resume')])
  const whole = await readFile(path, 'utf8')
  await writeFile(path, `${whole}\n`)
  const changed = await tiwala([...argv, '--resume'], environment({}, proxy.url))
  expect([changed.exitCode, changed.stderr]).toEqual([2, expect.stringContaining('was changed since')])
  // Without --resume it starts again.
  const { stderr } = await tiwala(argv, environment({}))
  expect(stderr).toBe('1499 created, 1000 replaced, 1 refused.\n')
  expect(await exists(`${path}.position`)).toBe(false)
})

test('an import that stops before its first batch does not continue an earlier one', async () => {
  const path = await writeCitizens('AGAIN')
  const argv = ['citizen', 'import', '--file', path]
  const stopAfter = async (accepted: number) => {
    const proxy = await startProxy(undefined, accepted)
    const { stderr } = await tiwala(argv, environment({ TIWALA_OPERATOR_TOKEN: inject('token') }, proxy.url))
    proxy.close()
    return { stderr, url: proxy.url }
  }
  expect((await stopAfter(2)).stderr).toContain('Stopped after line 2000')
  const { stderr, url } = await stopAfter(0)
  expect(stderr).toContain('Stopped after line 0')
  const resumed = await tiwala([...argv, '--resume'], environment({ TIWALA_OPERATOR_TOKEN: 'expired' }, url))
  expect(resumed.stderr).toContain('Starts with line 1.')
})

test('a report names each refused line once, also those before the import stopped', async () => {
  const path = await writeCitizens('REPORTED')
  let child: ChildProcess | undefined
  const proxy = await startProxy((count) => void (count === 3 && child!.kill('SIGKILL')))
  const argv = ['citizen', 'import', '--file', path, '--json']
  child = spawn(process.execPath, [MAIN, ...argv], {
    env: { ...process.env, TIWALA_OPERATOR_URL: proxy.url, TIWALA_OPERATOR_TOKEN: inject('token') },
  })
  await once(child, 'exit')
  // As if the last batch had been killed after its refused lines were kept: it is sent again.
  await appendFile(`${path}.position.faults`, '{"line":2100,"errors":{}}\n')
  const token = { TIWALA_OPERATOR_TOKEN: inject('token') }
  const resumed = await tiwala([...argv, '--resume'], environment(token, proxy.url))
  expect([resumed.stderr, JSON.parse(resumed.stdout)]).toEqual([
    'Continues after line 2000.\n',
    {
      created: 1999,
      replaced: 500,
      rejected: 1,
      errors: [{ line: 1700, errors: { line: ['is not JSON'] } }],
    },
  ])
  expect(await exists(`${path}.position.faults`)).toBe(false)
  proxy.close()
})

test('an import goes on where its position cannot be kept; standard input has none', async () => {
  const path = await writeCitizens('UNKEPT')
  await mkdir(`${path}.position.writing`)
  const token = { TIWALA_OPERATOR_TOKEN: inject('token') }
  const { stderr } = await tiwala(['citizen', 'import', '--file', path], environment(token))
  expect(stderr).toMatch(/^The position cannot be kept \(EISDIR.*\n2499 created/)
  const piped = await tiwala(['citizen', 'import', '--file', '-', '--resume'], environment(token))
  expect(piped.exitCode).toBe(2)
})

test('a verification that stops says where to continue', async () => {
  const token = join(folder, 'token')
  await writeFile(token, inject('token'))
  const path = await writeCitizens('SEALED')
  const isSealed = async () => {
    // Each import is in the audit.
    await tiwala(['citizen', 'import', '--file', path, '--token-file', token], environment({}))
    return (await tiwala(['audit', 'checkpoint', '3', '--token-file', token], environment({}))).exitCode
  }
  await expect.poll(isSealed, { timeout: 60_000 }).toBe(0)
  const proxy = await startProxy(undefined, 2)
  const argv = ['audit', 'verify', '--limit', '1', '--from-checkpoint', '2', '--token-file', token]
  const { exitCode, stderr } = await tiwala(argv, environment({}, proxy.url))
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining(
      'Stopped before checkpoint 3; 1 are intact. Add --from-checkpoint 3 to continue there.',
    ),
  ])
  proxy.close()
})
