// The operator API has its own address, apart from the public address.
import { createServer } from 'node:net'
import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { basePathOf } from '../../../src/contract/documents.ts'
import { createLog } from '../../../src/http/pipeline/log.ts'
import { start } from '../../../src/start.ts'
import { freePort } from '../../../src/testing/start-service.ts'
import { refusalOf, startServiceWithOperatorAddress } from '../../kit/api-client.ts'
import { requestText, sendRaw } from '../../kit/raw-http.ts'
import { temporaryDatabase } from '../../kit/temporary-resources.ts'

const { service, api, operatorOrigin } = await startServiceWithOperatorAddress()

const listPartners = (origin: string) =>
  fetch(origin + locate('listPartners').path, { headers: api.asOperator })
const statusOf = async (url: string) => (await fetch(url)).status

describe('the public address', () => {
  test('404: an operator operation gets the same response as an unknown path', async () => {
    const bodyOf = async (response: Response) => ({ ...((await response.json()) as object), request_id: '' })
    const [operation, unknown] = [await listPartners(service.url), await fetch(`${service.url}/api/nothing`)]
    expect([operation.status, await bodyOf(operation)]).toEqual([404, await bodyOf(unknown)])
    const importing = {
      method: 'POST',
      headers: { ...api.asOperator, 'Content-Type': 'application/x-ndjson' },
      body: '{}',
    }
    expect(await refusalOf(fetch(service.url + locate('importCitizens').path, importing))).toBe(
      '404 not_found',
    )
  })

  test('404: the operator document is not served; the other documents are', async () => {
    expect(
      await Promise.all(['json', 'yaml'].map((form) => statusOf(`${service.url}/openapi/operator.${form}`))),
    ).toEqual([404, 404])
    expect(
      await Promise.all(
        ['partner', 'citizen-app'].map((name) => statusOf(`${service.url}/openapi/${name}.json`)),
      ),
    ).toEqual([200, 200])
  })

  test('the sandbox names the address of the operator API', async () => {
    const bootstrap = (await (await fetch(`${service.url}/sandbox/bootstrap.json`)).json()) as {
      operator_url: string
    }
    expect(bootstrap.operator_url).toBe(operatorOrigin + basePathOf('operator'))
  })
})

describe('the address of the operator API', () => {
  test('200: serves the operations, the document with this address, and health checks', async () => {
    expect((await listPartners(operatorOrigin)).status).toBe(200)
    const document = (await (await fetch(`${operatorOrigin}/openapi/operator.json`)).json()) as {
      servers: { url: string }[]
    }
    expect(document.servers[0]!.url).toBe(operatorOrigin + basePathOf('operator'))
    expect(await Promise.all(['/healthz', '/readyz'].map((path) => statusOf(operatorOrigin + path)))).toEqual(
      [200, 200],
    )
  })

  test('401: the error links to the page of its code at the public address', async () => {
    const { headers } = await fetch(operatorOrigin + locate('listPartners').path)
    expect(headers.get('link')).toBe(`<${service.url}/errors/token_missing>; rel="help"`)
  })

  test('404: serves no other path', async () => {
    const paths = [
      '/',
      '/sandbox/bootstrap.json',
      '/openapi/partner.json',
      '/openapi/partner-3.0.json',
      '/openapi/partner-3.0-headers.json',
      '/openapi/partner.postman_collection.json',
      '/downloads/tiwala-client.tgz',
      locate('inquire').path,
    ]
    expect(await Promise.all(paths.map((path) => statusOf(operatorOrigin + path)))).toEqual(
      paths.map(() => 404),
    )
    expect(
      await refusalOf(fetch(operatorOrigin + locate('listAuthorizations').path, { headers: api.asCitizen })),
    ).toBe('404 not_found')
  })

  test('400, 401: has the same limits and errors', async () => {
    expect(await refusalOf(fetch(operatorOrigin + locate('listPartners').path))).toBe('401 token_missing')
    const tooLong = requestText('GET', '/healthz', { 'X-Long': 'x'.repeat(9_000) })
    expect((await sendRaw(operatorOrigin, tooLong)).response!.status).toBe(400)
  })
})

const settingsOf = ({ url, folder }: { url: string; folder: string }) => ({
  DATABASE_URL: url,
  TIWALA_DATA_DIR: folder,
})

test('a port in use stops the start and frees the other port; the error names the setting', async () => {
  await using database = await temporaryDatabase()
  const otherServer = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => otherServer.once('listening', resolve))
  const { port: operatorPort } = otherServer.address() as { port: number }
  const PORT = String(await freePort())
  const settings = {
    PORT,
    TIWALA_OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
    ...settingsOf(database),
    LOG_LEVEL: 'silent',
  }
  await expect(start(readConfig(settings), createLog('silent'))).rejects.toThrow(
    `Port ${operatorPort} is in use. Stop what listens there, or choose another: ` +
      'TIWALA_OPERATOR_ADDRESS=127.0.0.1:8082',
  )
  otherServer.close()
  const probe = createServer().listen(Number(PORT), '127.0.0.1')
  await new Promise((resolve, reject) => probe.once('listening', resolve).once('error', reject))
  probe.close()
})

test('without the operator API, its address has health checks and metrics, for the supervisor and Prometheus', async () => {
  await using database = await temporaryDatabase()
  const address = `127.0.0.1:${await freePort()}`
  const config = readConfig({
    ...settingsOf(database),
    PORT: String(await freePort()),
    TIWALA_DOCUMENTS: 'partner',
    TIWALA_OPERATOR_ADDRESS: address,
  })
  const { close } = await start(config, createLog('silent'))
  const paths = ['/healthz', '/readyz', '/metrics', locate('listPartners').path, locate('inquire').path]
  expect(await Promise.all(paths.map((path) => statusOf(`http://${address}${path}`)))).toEqual([
    200, 200, 200, 404, 404,
  ])
  await close()
})

describe('the listeners of a process', () => {
  const LIVE = {
    TIWALA_ENVIRONMENT: 'live',
    DATABASE_URL: 'postgres://localhost/tiwala',
    TIWALA_PUBLIC_URL: 'https://tiwala.example',
    TIWALA_TRUSTED_PROXIES: '127.0.0.1',
    TIWALA_KEY_RING: '{}',
    ...Object.fromEntries(
      ['CITIZEN', 'OPERATOR'].flatMap((side) => [
        [`TIWALA_${side}_ISSUER`, 'https://identity.example'],
        [`TIWALA_${side}_JWKS_URL`, 'https://identity.example/jwks.json'],
      ]),
    ),
  }
  const listenersOf = (settings: Record<string, string>) =>
    readConfig(settings).listeners.map(({ host, port, documents }) => `${host} ${port} ${documents.join()}`)
  const docsOf = (settings: Record<string, string>) => readConfig(settings).listeners.map(({ docs }) => docs)

  test.each<[string, Record<string, string>, string[]]>([
    [
      'live: the operator API on loopback',
      LIVE,
      ['127.0.0.1 8080 partner,citizen-app,workbench', '127.0.0.1 8081 operator'],
    ],
    [
      'live: HOST does not move the operator API',
      { ...LIVE, HOST: '0.0.0.0' },
      ['0.0.0.0 8080 partner,citizen-app,workbench', '127.0.0.1 8081 operator'],
    ],
    [
      'live, shared',
      { ...LIVE, TIWALA_OPERATOR_ADDRESS: 'shared' },
      ['127.0.0.1 8080 partner,citizen-app,workbench,operator'],
    ],
    ['live, without the operator API', { ...LIVE, TIWALA_DOCUMENTS: 'partner' }, ['127.0.0.1 8080 partner']],
    [
      'live, without the operator API, but with its address',
      { ...LIVE, TIWALA_DOCUMENTS: 'partner', TIWALA_OPERATOR_ADDRESS: '127.0.0.1:8082' },
      ['127.0.0.1 8080 partner', '127.0.0.1 8082 '],
    ],
    [
      'live, the operator API alone',
      { ...LIVE, TIWALA_DOCUMENTS: 'operator', HOST: '0.0.0.0' },
      ['127.0.0.1 8081 operator'],
    ],
    ['sandbox: everything together', {}, ['127.0.0.1 8080 partner,citizen-app,workbench,operator']],
    [
      'IPv6',
      { TIWALA_OPERATOR_ADDRESS: '[::1]:9000' },
      ['127.0.0.1 8080 partner,citizen-app,workbench', '::1 9000 operator'],
    ],
  ])('%s', (_what, settings, expected) => {
    expect(listenersOf(settings)).toEqual(expected)
  })

  test('the console has an address at which a browser keeps its cookie', () => {
    const consoleUrlOf = (address: string, settings: Record<string, string> = {}) =>
      readConfig({
        ...LIVE,
        TIWALA_CONSOLE_CLIENT_ID: 'console',
        TIWALA_OPERATOR_ADDRESS: address,
        ...settings,
      }).console.url
    // A container listens at every address. Its port is one of this machine.
    expect(consoleUrlOf('0.0.0.0:8081')).toBe('http://127.0.0.1:8081')
    expect(consoleUrlOf('[::]:8081')).toBe('http://[::1]:8081')
    expect(() => consoleUrlOf('10.0.0.5:8081')).toThrow(
      /^TIWALA_CONSOLE_URL: is required with this TIWALA_OPERATOR_ADDRESS\. A browser keeps .+ https/,
    )
    const url = 'https://console.example'
    expect(consoleUrlOf('10.0.0.5:8081', { TIWALA_CONSOLE_URL: url })).toBe(url)
  })

  test('each has the documentation of its environment and its documents', () => {
    expect(docsOf(LIVE)).toEqual(['live.partner.citizen-app.workbench', 'live.operator'])
    expect(docsOf({ TIWALA_DOCUMENTS: 'operator,partner' })).toEqual(['sandbox.partner.operator'])
  })

  test.each([
    '8081',
    ':8081',
    'localhost',
    'localhost:',
    'localhost:0',
    'localhost:65536',
    '::1:8081',
    'http://localhost:8081',
    '',
  ])('refused: "%s"', (address) => {
    expect(() => readConfig({ TIWALA_OPERATOR_ADDRESS: address })).toThrow(/^TIWALA_OPERATOR_ADDRESS: /)
  })
})
