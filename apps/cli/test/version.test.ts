import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { API_VERSION } from '../src/document.ts'
import { startFakeServer } from './fake-server.ts'
import { tiwala } from './tiwala.ts'

const PROGRAM = {
  service: manifest.version,
  contract: API_VERSION,
  schema: expect.stringMatching(/^\d{4}_\w+$/) as string,
}

test('version: shows the program, the service that runs, and a database', async () => {
  const env = { TIWALA_OPERATOR_URL: inject('operatorUrl'), DATABASE_URL: inject('emptyDatabaseUrl') }
  const { exitCode, stdout, stderr } = await tiwala(['version', '--json'], { env })
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toEqual({
    program: PROGRAM,
    service: PROGRAM,
    database: { schema: 'empty' },
  })
  const lines = (await tiwala(['version'], { env })).stdout.trim().split('\n')
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['PART', 'SERVICE', 'CONTRACT', 'SCHEMA'],
    ['program', ...Object.values(PROGRAM)],
    ['service', ...Object.values(PROGRAM)],
    ['database', '-', '-', 'empty'],
  ])
})

test('version: the samples in OPERATIONS.md have the form of the output', async () => {
  const env = { TIWALA_OPERATOR_URL: inject('operatorUrl') }
  const page = await readFile(new URL('../../server/OPERATIONS.md', import.meta.url), 'utf8')
  // The numbers are examples, so that a new version changes no page.
  const formOf = (text: string) =>
    text
      .replaceAll(/\d+\.\d+\.\d+/g, '1.0.0')
      .replaceAll(/\d{4}_\w+/g, '0001_x')
      .replaceAll(/(?<=\S) +/g, ' ')
  const lines = formOf(page).split('\n')
  const table = lines.slice(lines.indexOf('PART SERVICE CONTRACT SCHEMA')).slice(0, 4)
  const { stdout } = await tiwala(['version'], { env })
  expect(table, 'The table in OPERATIONS.md').toEqual(
    expect.arrayContaining(formOf(stdout.trim()).split('\n')),
  )
  const { service } = JSON.parse((await tiwala(['version', '--json'], { env })).stdout) as { service: object }
  const sample = formOf(JSON.stringify(service).replaceAll(/(?<=[{:,])|(?=})/g, ' '))
  const versions = lines.map((line) => line.trim()).filter((line) => line.startsWith('"versions"'))
  expect(versions, 'The body of /readyz in OPERATIONS.md').toEqual([`"versions": ${sample}`])
})

test('OPERATIONS.md installs this version, with the Node that runs the tests', async () => {
  const page = await readFile(new URL('../../server/OPERATIONS.md', import.meta.url), 'utf8')
  const missing = [
    `https://nodejs.org/dist/${process.version}/{$NODE.tar.xz,SHASUMS256.txt}`,
    `NODE=node-${process.version}-linux-`,
    `--file tiwala-${manifest.version}.tar.gz`,
  ].filter((text) => !page.includes(text))
  expect(missing, `apps/server/OPERATIONS.md lacks: ${missing.join(' | ')}`).toEqual([])
})

test('version: without a service and a database, shows the program and says what is missing', async () => {
  const env = { TIWALA_OPERATOR_URL: 'http://127.0.0.1:9', DATABASE_URL: 'postgres://a@127.0.0.1:9/b' }
  const { exitCode, stdout, stderr } = await tiwala(['version', '--json'], { env })
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { program: PROGRAM, service: null, database: null }])
  expect(stderr).toBe(
    'No service answers at http://127.0.0.1:9/operator/v1.\n' +
      'The database in DATABASE_URL cannot be read (ECONNREFUSED 127.0.0.1:9).\n',
  )
})

test.each([
  ['does not tell its versions', { status: 'ok' }, "shown only at the operator's address and"],
  ['answers with null', null, 'No service answers'],
])('version: says where to ask a service that %s', async (_what, readiness, message) => {
  const server = await startFakeServer(200, readiness)
  const { stderr } = await tiwala(['version'], { env: { TIWALA_OPERATOR_URL: server.url } })
  server.close()
  expect(stderr).toContain(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})
