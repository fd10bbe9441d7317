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
    ['OF', 'SERVICE', 'CONTRACT', 'SCHEMA'],
    ['program', ...Object.values(PROGRAM)],
    ['service', ...Object.values(PROGRAM)],
    ['database', '-', '-', 'empty'],
  ])
})

test('version: without a service and a database, shows the program and says what is missing', async () => {
  const env = { TIWALA_OPERATOR_URL: 'http://127.0.0.1:9', DATABASE_URL: 'postgres://a@127.0.0.1:9/b' }
  const { exitCode, stdout, stderr } = await tiwala(['version', '--json'], { env })
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { program: PROGRAM, service: null, database: null }])
  expect(stderr).toBe(
    'No service answers at http://127.0.0.1:9.\n' +
      'The database in DATABASE_URL cannot be read (ECONNREFUSED 127.0.0.1:9).\n',
  )
})

test('version: says where to ask a service that does not tell its versions', async () => {
  const server = await startFakeServer(200, { status: 'ok' })
  const { stderr } = await tiwala(['version'], { env: { TIWALA_OPERATOR_URL: server.url } })
  server.close()
  expect(stderr).toMatch(/^The versions of .+ are shown only at the operator's address and .+\n$/)
})
