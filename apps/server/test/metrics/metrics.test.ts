// `/metrics` of the operator's address: what it counts, and that it names no partner and no citizen.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { locate } from '@tiwala/kit/operations'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startIdentities } from '../../src/authentication/identity-tokens.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import { registry, toPartnerLabel } from '../../src/metrics/registry.ts'
import { type KeyRing, PURPOSES, type RingKey } from '../../src/secrets/key-ring.ts'
import { mintKey } from '../../src/secrets/open-key-ring.ts'
import { mintSecret } from '../../src/secrets/tokens.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { startServiceWithOperatorAddress } from '../kit/api-client.ts'
import { scrapeMetrics, valueOf, watchMetrics } from '../kit/scrape-metrics.ts'

const { service, api, operatorOrigin } = await startServiceWithOperatorAddress()
const scrape = () => scrapeMetrics(operatorOrigin)
const watch = (...lines: string[]) => watchMetrics(operatorOrigin, lines)

const readSelf = (origin: string, secretToken: string) =>
  fetch(origin + locate('readPartnerSelf').path, {
    headers: { 'X-Secret-Code': api.partner.secret_code, 'X-Secret-Token': secretToken },
  })

test('requests are counted by operation, status class and error code', async () => {
  const differences = await watch(
    'tiwala_requests_total{operation="readPartnerSelf",status="2xx",error=""}',
    'tiwala_requests_total{operation="readPartnerSelf",status="4xx",error="credentials_invalid"}',
    'tiwala_request_duration_seconds_count{operation="readPartnerSelf"}',
  )
  await readSelf(service.url, api.partner.secret_token)
  await readSelf(service.url, 'twt_test_wrong')
  await expect.poll(differences).toEqual([1, 1, 2])
})

test('requests of a partner are counted by its code, if it exists', async () => {
  const { secret_token, partner_code } = api.partner
  const series = (status: string, error: string) =>
    `tiwala_partner_requests_total{partner="${partner_code}",status="${status}",error="${error}"}`
  const differences = await watch(
    series('2xx', ''),
    series('4xx', 'credentials_invalid'),
    series('4xx', 'partner_invalid'),
    series('4xx', 'exchange_code_invalid'),
  )
  await readSelf(service.url, secret_token)
  await readSelf(service.url, mintSecret('twt_test_'))
  const token = {
    partner_secret: mintSecret('tws_test_'),
    scope: 'SSO_AUTHENTICATION',
    exchange_code: 'twx_0',
  }
  await api.send('generateToken', { json: { ...token, partner_code } })
  await api.send('generateToken', { json: { ...token, partner_code: 'UNKNOWN' } })
  await api.send('generateToken', {
    json: { ...token, partner_code, partner_secret: api.partner.partner_secret },
  })
  await expect.poll(differences).toEqual([1, 1, 1, 1])
  expect(await scrape()).not.toContain('UNKNOWN')
})

test('after 1,000 partners the others are counted together', () => {
  const codes = Array.from({ length: 1_001 }, (_, index) => `P${index}`)
  expect(new Set(codes.map(toPartnerLabel)).size).toBeLessThanOrEqual(1_001)
  expect(codes.map(toPartnerLabel).at(-1)).toBe('other')
  expect(toPartnerLabel('P0')).toBe('P0')
})

test('the process says its versions and when it started', async () => {
  const text = await scrape()
  expect(text).toMatch(
    new RegExp(
      `^tiwala_build_info\\{version="\\d+\\.\\d+\\.\\d+",contract="\\d+\\.\\d+\\.\\d+",node="${process.version}"\\} 1$`,
      'm',
    ),
  )
  expect(valueOf(text, 'process_start_time_seconds') * 1_000).toBeGreaterThan(Date.now() - 3_600_000)
})

test('wrong credentials are counted by how the caller authenticates', async () => {
  const KINDS = ['secret_headers', 'secret_in_body', 'access_token', 'citizen_token', 'operator_token']
  const differences = await watch(...KINDS.map((kind) => `tiwala_wrong_credentials_total{kind="${kind}"}`))
  const wrong = { headers: { Authorization: 'Bearer wrong' } }
  await readSelf(service.url, 'twt_test_wrong')
  const { partner_code } = api.partner
  const token = { partner_code, partner_secret: 'wrong', scope: 'SSO_AUTHENTICATION', exchange_code: 'twx_0' }
  await api.send('generateToken', { json: token })
  await api.signIn('wrong')
  await api.send('listAuthorizations', wrong)
  await fetch(operatorOrigin + locate('listPartners').path, wrong)
  // No credential is no wrong one.
  await api.send('listAuthorizations')
  await expect.poll(differences).toEqual([1, 1, 1, 1, 1])
})

test('the time to answer is observed once for each answer, by outcome', async () => {
  const differences = await watch(
    'tiwala_authorization_answer_seconds_count{outcome="ACCEPTED"}',
    'tiwala_authorization_answer_seconds_count{outcome="DECLINED"}',
    'tiwala_authorization_answer_seconds_bucket{le="30",outcome="DECLINED"}',
    'tiwala_authorization_answer_seconds_bucket{le="120",outcome="DECLINED"}',
    'tiwala_authorizations_pending',
  )
  const accepted = await api.createPendingRecord()
  await api.accept(accepted)
  await api.accept(accepted)
  const declined = await api.createPendingRecord()
  await api.createPendingRecord()
  await service.advance(60)
  await api.send('declineAuthorization', { headers: api.asCitizen, path: { tracking_no: declined } })
  expect(await differences()).toEqual([1, 1, 0, 1, 1])
})

test('waiting inquiries and event streams are counted apart', async () => {
  const waiting = (kind: string) => `tiwala_waiting_requests{kind="${kind}"}`
  const differences = await watch(waiting('inquiry'), waiting('event_stream'))
  const abort = new AbortController()
  const trackingNo = await api.createPendingRecord()
  const inquiry = api.inquire(trackingNo, { Prefer: 'wait=25' })
  const streams = Array.from({ length: 2 }, () =>
    api.send('streamEvents', { headers: api.asCitizen, signal: abort.signal }),
  )
  await expect.poll(differences).toEqual([1, 2])
  abort.abort()
  await Promise.allSettled(streams)
  await api.accept(trackingNo)
  await inquiry
  await expect.poll(differences).toEqual([0, 0])
})

test('a request whose client went away before the response is counted as 4xx, without a code', async () => {
  const differences = await watch(
    'tiwala_requests_total{operation="inquire",status="4xx",error=""}',
    `tiwala_partner_requests_total{partner="${api.partner.partner_code}",status="4xx",error=""}`,
    'tiwala_requests_total{operation="inquire",status="2xx",error=""}',
  )
  const waiting = await watch('tiwala_waiting_requests{kind="inquiry"}')
  const client = new AbortController()
  const inquiry = api.send('inquire', {
    headers: { ...api.asPartner, Prefer: 'wait=25' },
    query: { tracking_no: await api.createPendingRecord() },
    signal: client.signal,
  })
  await expect.poll(waiting).toEqual([1])
  client.abort()
  await expect(inquiry).rejects.toThrow('aborted')
  await expect.poll(differences).toEqual([1, 1, 0])
})

test('the durations are those of requests that neither wait nor may take long', async () => {
  const operations = ['readPartnerSelf', 'inquire', 'listKeys', 'streamEvents']
  const requestsOf = (operation: string) =>
    `tiwala_requests_total{operation="${operation}",status="2xx",error=""}`
  const counted = await watch(...operations.map(requestsOf))
  const timed = await watch(
    ...operations.map((operation) => `tiwala_request_duration_seconds_count{operation="${operation}"}`),
  )
  await api.send('readPartnerSelf', { headers: { ...api.asPartner, Prefer: 'return=minimal' } })
  const trackingNo = await api.createPendingRecord()
  await api.inquire(trackingNo, { Prefer: 'wait=1' })
  // The second inquiry does not wait, since the record does not change any more.
  await api.accept(trackingNo)
  await api.inquire(trackingNo, { Prefer: 'wait=1' })
  await fetch(operatorOrigin + locate('listKeys').path, { headers: api.asOperator })
  const client = new AbortController()
  const stream = await api.send('streamEvents', { headers: api.asCitizen, signal: client.signal })
  client.abort()
  await stream.text().catch(() => '')
  await expect.poll(counted).toEqual([1, 2, 1, 1])
  expect(await timed()).toEqual([1, 1, 0, 0])
})

test('open anomalies of partners are shown by kind, until they end or are acknowledged', async () => {
  const { partner_code } = api.partner
  const differences = await watch(`tiwala_partner_anomalies{partner="${partner_code}",kind="rate"}`)
  await sql`
    insert into anomaly (anomaly_id, partner_id, kind, ended_at, expected, threshold, observed, address_ranges)
    select a.id, p.id, 'rate', ended_at, 1, 300, 400, '{}'
      from partner p, (values ('ano_metric', null), ('ano_ended', clock_now())) a (id, ended_at)
     where partner_code = ${partner_code}`.execute(service.db)
  expect(await differences()).toEqual([1])
  await sql`update anomaly set acknowledged_at = clock_now()`.execute(service.db)
  expect(await differences()).toEqual([0])
})

test('every metric is in OPERATIONS.md, with few values and no data of partners and citizens', async () => {
  // Other files of this process have called other operations.
  registry.resetMetrics()
  const citizen = api.citizens[0]!
  await api.issueQrValue('inquire')
  await expect.poll(async () => (await scrape()).includes('tiwala_audit_events_total{kind=')).toBe(true)
  const text = await scrape()
  expect(text).not.toContain(citizen.uniqid)
  const lines = text.split('\n').filter((line) => line.includes(api.partner.partner_code))
  expect(lines.filter((line) => !line.startsWith('tiwala_partner_requests_total{'))).toEqual([])
  expect(text).toMatch(/^tiwala_database_connections\{pool="requests",state="in_use"\} \d+$/m)
  expect(valueOf(text, 'tiwala_database_statement_duration_seconds_count{pool="requests"}')).toBeGreaterThan(
    0,
  )
  expect(text.split('\n').length).toBeLessThan(600)

  const operations = await readFile(new URL('../../OPERATIONS.md', import.meta.url), 'utf8')
  const listed = [...operations.matchAll(/^\| `((?:tiwala|process|nodejs)_\w+)` /gm)].map(([, name]) => name)
  const names = registry.getMetricsAsArray().map(({ name }) => name)
  expect(new Set(listed)).toEqual(new Set(names))
  expect(new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))).toEqual(new Set(names))
})

test('404: the public address has no metrics', async () => {
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
})

test('on an idle service nothing waits for a connection, although the metrics themselves read the database', async () => {
  const scrapeWaiting = async () => {
    const lines = (await scrape()).split('\n').filter((line) => line.includes('state="waiting"'))
    expect(lines.length).toBeGreaterThan(4)
    return lines.filter((line) => !line.endsWith(' 0'))
  }
  // A loop in the background can wait for a moment. The metrics would wait at every scrape.
  await expect
    .poll(async () => [...(await scrapeWaiting()), ...(await scrapeWaiting()), ...(await scrapeWaiting())])
    .toEqual([])
})

test('housekeeping, fetches of keys, and the age of backups are counted', async () => {
  const { backupFiles } = service.config
  Object.assign(backupFiles, { here: import.meta.filename, gone: '/nowhere/audit.ndjson' })
  const differences = await watch('tiwala_housekeeping_runs_total{outcome="done"}')
  await expect.poll(async () => (await differences())[0], { timeout: 10_000 }).toBeGreaterThan(0)
  const text = await scrape()
  expect(valueOf(text, 'tiwala_backup_age_seconds{backup="here"}')).toBeGreaterThan(0)
  expect(text).not.toContain('tiwala_backup_age_seconds{backup="gone"}')
  const missing = ['here', 'gone'].map((name) => valueOf(text, `tiwala_backup_missing{backup="${name}"}`))
  expect(missing).toEqual([0, 1])
  const fetches = await watch('tiwala_identity_key_fetches_total{provider="citizen",outcome="failed"}')
  const { citizenIdentity } = service.config
  const jwksUrl = `http://127.0.0.1:${await freePort()}/`
  const config = {
    ...service.config,
    citizenIdentity: { ...citizenIdentity, jwksUrl },
    operatorIdentity: { ...citizenIdentity, jwksUrl },
    staffIdentity: { ...service.config.staffIdentity, jwksUrl },
  }
  const identities = startIdentities(config, {} as KeyRing, createLog('silent'))
  await expect.poll(fetches, { timeout: 10_000 }).toEqual([1])
  // The alert needs the series of a success that has never happened.
  expect(await scrape()).toContain(
    'tiwala_identity_key_fetches_total{provider="citizen",outcome="fetched"} 0',
  )
  await identities.stop()
})

test('a key without active_from, as `init` makes it, has the age of its use by the database', async () => {
  await sql`update bound_key set bound_at = bound_at - interval '400 days' where purpose = 'webhook'`.execute(
    service.db,
  )
  const text = await scrape()
  const webhook = 'tiwala_key_age_seconds{purpose="webhook"}'
  expect(valueOf(text, webhook)).toBeGreaterThan(365 * 86_400)
  const purposes = [...text.matchAll(/^tiwala_key_age_seconds\{purpose="([\w-]+)"\}/gm)].map(
    ([, name]) => name,
  )
  expect(purposes).toEqual(expect.arrayContaining([...PURPOSES]))
  // The age is that of the current key.
  const file = join(service.config.dataDir, 'keys.json')
  const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys: RingKey[] }
  await writeFile(file, JSON.stringify({ keys: [...keys, mintKey('webhook', new Date())] }))
  await expect.poll(async () => valueOf(await scrape(), webhook)).toBeLessThan(86_400)
})
