// `tiwala support-bundle`: what a supporter needs, and no secret, no partner and no data of a person.
import { expect, test } from 'vitest'
import { collectSupport } from '../../src/doctor/support-bundle.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { createApiClient } from '../kit/api-client.ts'
import { startProcess } from '../kit/server-process.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'
import { findCanaries, writeAllData } from '../kit/write-all-data.ts'

test('after every request that stores data, at debug level, the bundle has none of it', async () => {
  await using database = await temporaryDatabase()
  const ring = mintKeys()
  const settings = {
    ...database.settings,
    TIWALA_KEY_RING: JSON.stringify({ keys: ring }),
    LOG_LEVEL: 'debug',
  }
  await using server = await startProcess({ ...settings, TIWALA_POLL_INTERVAL_SECONDS: '0' })
  await server.ready
  const api = await createApiClient(server.url)
  const canaries = await writeAllData(api)
  await api.send('inquire', { headers: api.asPartner, query: { tracking_no: 'canary-number' } })
  // The process writes its log in blocks.
  await expect.poll(server.stdout).toMatch(/"operation":"inquire".*"status":404/)
  const environment = {
    ...settings,
    TIWALA_QR_TTL_SECONDS: '61',
    TIWALA_STAFF_CLIENT_SECRET: 'canary-client-secret',
    TIWALA_OPERATOR_TOKEN: api.operator_token!,
    TIWALA_CITIZEN_AUDIENCE: 'canary-audience',
    PASSWORD: 'canary-password',
  }
  const injected = [
    { service: 'other', level: 'info', msg: 'canary-foreign' },
    {
      service: 'tiwala',
      level: 'info',
      msg: 'request completed',
      partner: 'CANARY_PARTNER',
      body: 'canary-body',
    },
  ].map((line) => JSON.stringify(line))
  const log = `${server.stdout()}\ncanary-text\n{"service":"tiwala","msg":"canary-cut\n${injected.join('\n')}\n`
  const bundle = await collectSupport(environment, { operatorUrl: server.url, log })
  const text = JSON.stringify(bundle)

  const secrets = ring.flatMap((key) =>
    [key['k'], key['d']].filter((part): part is string => typeof part === 'string'),
  )
  expect(secrets.length).toBeGreaterThan(ring.length - 1)
  const partners = [api.partner.partner_code, 'STORAGE', 'partner.example', api.partner.secret_code]
  expect(
    findCanaries(text, [...canaries, ...secrets, ...partners, api.operator_token!, database.url]),
  ).toEqual([])
  expect(text).not.toMatch(/canary/i)

  expect(bundle).toMatchObject({
    versions: { service: expect.any(String), node: process.version },
    settings: {
      TIWALA_QR_TTL_SECONDS: '61',
      LOG_LEVEL: 'debug',
      TIWALA_KEY_RING: 'set',
      DATABASE_URL: 'set',
    },
    database: {
      migrations: expect.arrayContaining(['0001_foundation']),
      tables: expect.arrayContaining([expect.objectContaining({ table: 'citizen' })]),
      sessions: expect.arrayContaining([expect.objectContaining({ application_name: 'tiwala-listen' })]),
    },
    findings: expect.arrayContaining([expect.objectContaining({ about: 'settings', status: 'ok' })]),
  })
  const lines = bundle['log'] as Record<string, unknown>[]
  expect(lines.length).toBeGreaterThan(10)
  expect(lines).toContainEqual(
    expect.objectContaining({ operation: 'requestAuthorization', status: 200, level: 'info' }),
  )
})

test('without a service and a database, the bundle says so', async () => {
  const bundle = await collectSupport({ PORT: '0x' }, { operatorUrl: 'http://127.0.0.1:1' })
  expect(bundle).toMatchObject({
    findings: [{ about: 'settings', status: 'problem' }],
    readiness: expect.stringMatching(/^no response \(/),
    database: null,
    log: [],
  })
})
