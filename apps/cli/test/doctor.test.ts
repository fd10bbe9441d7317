import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tiwala } from './tiwala.ts'

test('doctor: reads a file of settings, names each fault, and ends with 1', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-doctor-'))
  const path = join(folder, 'tiwala.env')
  await writeFile(path, 'PORT=0x\nTIWALA_TIME_ZONE="Asia/Nowhere"\n')
  const { exitCode, stdout } = await tiwala(['doctor', '--settings', path], { env: { PORT: '8080' } })
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringMatching(/^problem settings +TIWALA_TIME_ZONE: .+\n\n1 problem\.\n$/),
  ])
  const asJson = await tiwala(['doctor', '--settings', path, '--json'], { env: {} })
  expect(
    asJson.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { about: 'settings', status: 'problem', text: expect.stringContaining('PORT: ') },
    { about: 'settings', status: 'problem', text: expect.stringContaining('TIWALA_TIME_ZONE: ') },
  ])
  await rm(folder, { recursive: true })
})

test('doctor: what Node reads before the file of settings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-doctor-'))
  const path = join(folder, 'tiwala.env')
  await writeFile(path, 'NODE_EXTRA_CA_CERTS=/ca.pem\nNODE_OPTIONS=--use-system-ca\nPORT=0x\n')
  const linesWith = async (env: Record<string, string>) =>
    (await tiwala(['doctor', '--settings', path], { env })).stdout.split('\n').slice(0, -3)
  expect(await linesWith({})).toEqual([
    expect.stringMatching(/^note +settings +NODE_OPTIONS: applies to the service/),
    expect.stringMatching(/^problem settings +NODE_EXTRA_CA_CERTS: has no effect in this file/),
    expect.stringMatching(/^problem settings +PORT/),
  ])
  expect(await linesWith({ NODE_EXTRA_CA_CERTS: '/ca.pem', NODE_OPTIONS: '--use-system-ca' })).toHaveLength(1)
  await rm(folder, { recursive: true })
})

test.each([
  [['--settings', '/nowhere/tiwala.env'], /^Cannot use the file \/nowhere\/tiwala\.env: ENOENT\. /],
  [['--settings', '/'], /^Cannot use the file \/: EISDIR\. .+\n$/],
  [['--callback', 'partner'], /^--callback: "partner" is not an HTTP URL\. /],
])('doctor %j: a mistake gets one line and ends with 2', async (argv, message) => {
  expect(await tiwala(['doctor', ...argv])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(message),
  })
})

test('doctor --token: reads the token from standard input, and refuses it as an option', async () => {
  const { exitCode, stdout } = await tiwala(['doctor', '--token', '-'], { env: {}, stdin: 'opaque\n' })
  expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^problem token +is no signed JWT\. /m)])
  expect(await tiwala(['doctor', '--token', 'eyJh.eyJz.sig'])).toMatchObject({
    exitCode: 2,
    stderr: expect.not.stringContaining('eyJh'),
  })
})

test('support-bundle: writes a file that only its user can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tiwala-bundle-'))
  const path = join(folder, 'bundle.json')
  const argv = ['support-bundle', '--url', 'http://127.0.0.1:1', '--file', path, '--log', '-']
  const log = '{"service":"tiwala","level":"info","msg":"request completed","partner":"HOTEL"}\n'
  const { exitCode, stderr } = await tiwala(argv, { env: { PORT: '0x' }, stdin: log })
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Read it before you send it')])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
    log: [{ level: 'info', msg: 'request completed' }],
  })
  await rm(folder, { recursive: true })
})
