// Commands that show a secret once, when the connection, the output or the process ends before it is shown.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterEach, expect, inject, test } from 'vitest'
import { createPartner, createCommand, tiwala, tiwalaJson } from './tiwala.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const keyOf = (stderr: string) => /--idempotency-key (\S+) shows the secret again/.exec(stderr)?.[1]
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

/** A proxy of the service that loses the first responses to a `POST`. `keys`: the keys that it has seen. */
async function startLossyProxy(lost: number, lose = (socket: Socket): unknown => socket.destroy()) {
  const keys: unknown[] = []
  const { origin } = new URL(inject('operatorUrl'))
  const server = createServer((req, res) => {
    const forward = async () => {
      const { host: _, connection: __, ...headers } = req.headers as Record<string, string>
      const body = req.method === 'POST' ? { body: await text(req) } : {}
      const response = await fetch(origin + req.url!, { method: req.method!, headers, ...body })
      const answer = await response.text()
      if (req.method === 'POST') keys.push(headers['idempotency-key'])
      if (req.method === 'POST' && keys.length <= lost) return lose(res.socket!)
      return res.writeHead(response.status, Object.fromEntries(response.headers)).end(answer)
    }
    void forward()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closers.push(
    () => void server.close(),
    () => server.closeAllConnections(),
  )
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}${new URL(inject('operatorUrl')).pathname}`
  return { keys, env: { TIWALA_OPERATOR_URL: url, TIWALA_OPERATOR_TOKEN: inject('token') } }
}

const rotate = (code: string, ...more: string[]) => [
  'credential',
  'rotate',
  code,
  '--kind',
  'secret_token',
  '--grace-days',
  '7',
  '--json',
  ...more,
]
const secretsOf = async (code: string) =>
  ((await tiwalaJson('credential', 'list', code)) as { credentials: { kind: string }[] }).credentials.filter(
    ({ kind }) => kind === 'secret_token',
  ).length

test('the command sends the request again with the same key, and one secret is made', async () => {
  const [code, { env, keys }] = [await createPartner(), await startLossyProxy(1)]
  const { exitCode, stdout, stderr } = await tiwala(rotate(code), { env })
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('There was no response')])
  expect(JSON.parse(stdout)).toMatchObject({ secret: expect.stringMatching(/^twt_/) as string })
  expect([keys.length, new Set(keys).size, await secretsOf(code)]).toEqual([2, 1, 2])
})

test('exit code 3: the message says how to get the secret, and the command then shows it', async () => {
  const [code, { env }] = [`LOST_${process.pid}`, await startLossyProxy(3)]
  const { exitCode, stderr } = await tiwala(createCommand(code), { env })
  const key = keyOf(stderr)
  expect([exitCode, key]).toEqual([3, UUID])
  const again = await tiwala([...createCommand(code), '--idempotency-key', key!])
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('TIWALA_SECRET_TOKEN=')])
  expect((await tiwala(createCommand(code))).stderr).toContain('partner_code_taken')
})

test.each([
  ['the reader of the output ends first', '| true'],
  ['the disk of the output is full', '> /dev/full || true'],
])('%s: the message says how to get the secret, and the command then shows it', async (_what, output) => {
  const code = await createPartner()
  const argv = ['-c', `"$0" "$@" ${output}`, process.execPath, MAIN, ...rotate(code)]
  const { stderr } = await promisify(execFile)('sh', argv, {
    env: {
      ...process.env,
      TIWALA_OPERATOR_URL: inject('operatorUrl'),
      TIWALA_OPERATOR_TOKEN: inject('token'),
    },
  })
  const key = keyOf(stderr)
  expect(key).toEqual(UUID)
  const again = await tiwala(rotate(code, '--idempotency-key', key!))
  expect(JSON.parse(again.stdout)).toMatchObject({ secret: expect.stringMatching(/^twt_/) as string })
  expect(await secretsOf(code)).toBe(2)
})

test('exit code 130: Ctrl+C before the response: the message says how to get the secret', async () => {
  const command = createCommand(`STOPPED_${process.pid}`)
  const { env } = await startLossyProxy(1, () => child.kill('SIGINT'))
  const child = spawn(process.execPath, [MAIN, ...command], { env: { ...process.env, ...env } })
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')])
  const key = keyOf(stderr)
  expect([exitCode, key]).toEqual([130, UUID])
  const again = await tiwala([...command, '--idempotency-key', key!])
  expect(again.stdout).toContain('TIWALA_SECRET_TOKEN=')
})

test('exit code 1: the same key with another command', async () => {
  const code = await createPartner()
  const key = ['--idempotency-key', crypto.randomUUID()]
  await tiwala(rotate(code, ...key))
  const { exitCode, stderr } = await tiwala(rotate(code, ...key, '--reason', 'leaked'))
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('idempotency_key_reused')])
})
