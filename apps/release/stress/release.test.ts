// The release, unpacked into an empty folder outside the repository, runs over PostgreSQL with Node alone.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { routes } from '@tiwala/contract'
import { basePathOf } from '@tiwala/server/documents'
import { freePort } from '@tiwala/server/testing'
import { startProcess } from '@tiwala/server/testing-process'
import { startProvider } from '@tiwala/server/testing-provider'
import { temporaryDatabase, temporaryFolder } from '@tiwala/server/testing-resources'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../contents.ts'
import { pack, run, unpack } from './build.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let program: string
beforeAll(async () => {
  await pack()
  folder = await temporaryFolder()
  program = await unpack(folder.path)
})
afterAll(() => folder[Symbol.asyncDispose]())

const start = async (settings: Record<string, string>) => {
  const startedAtMs = performance.now()
  const server = await startProcess(settings, [], join(program, 'server.js'))
  await server.ready
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1)
  console.log(`ready after ${seconds} s`)
  return server
}

/** Runs a program of the release, in another folder and without an environment of its own. */
const runProgram = (name: string, args: string[], env: Record<string, string> = {}) =>
  run(process.execPath, [join(program, name), ...args], { cwd: folder.path, env })

const statusOf = async (url: string) => (await fetch(url)).status

/** The client's first steps of the README, with the client that this server offers. */
async function runJourney(url: string): Promise<string> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const [, script = ''] = /^Save this as `first-profile\.mjs`.*?^```js\n(.*?)^```$/ms.exec(readme) ?? []
  await using application = await temporaryFolder()
  const client = join(application.path, 'node_modules/@tiwala/client')
  await mkdir(client, { recursive: true })
  const packed = await (await fetch(`${url}/downloads/tiwala-client.tgz`)).arrayBuffer()
  await writeFile(join(client, 'client.tgz'), Buffer.from(packed))
  await run('tar', ['-xzf', 'client.tgz', '--strip-components=1'], { cwd: client })
  const path = join(application.path, 'first-profile.mjs')
  await writeFile(path, script.replaceAll('http://localhost:8080', url))
  return (await run(process.execPath, [path], { cwd: application.path })).stdout
}

test('the sandbox serves a journey, the documentation, the sandbox page, the downloads and the terminal', async () => {
  await using database = await temporaryDatabase('template0')
  await using server = await start(database.settings)
  const { url } = server
  expect(await runJourney(url)).toMatch(/^Waiting for the citizen\nACCEPTED \{/)

  const pages = ['/', '/docs', '/docs/reference/inquire', '/docs/pagefind/pagefind.js', '/sandbox/']
  const documents = ['/openapi/partner.json', '/openapi/operator.yaml', '/downloads/']
  for (const path of [...pages, ...documents]) expect([path, await statusOf(url + path)]).toEqual([path, 200])
  const sandbox = await (await fetch(`${url}/sandbox/`)).text()
  const [, script] = /<script [^>]*src="([^"]+)"/.exec(sandbox)!
  expect(await statusOf(url + script!)).toBe(200)
  const { versions } = (await (await fetch(`${url}/downloads/index.json`)).json()) as {
    versions: { file: string; sha256: string }[]
  }
  for (const { file, sha256 } of versions) {
    const bytes = await (await fetch(`${url}/downloads/${file}`)).arrayBuffer()
    expect(createHash('sha256').update(Buffer.from(bytes)).digest('hex')).toBe(sha256)
  }
  expect(versions.length).toBeGreaterThan(1)

  const env = {
    ...database.settings,
    TIWALA_OPERATOR_URL: url + basePathOf('operator'),
    PORT: new URL(url).port,
  }
  const shown = JSON.parse((await runProgram('tiwala.js', ['version', '--json'], env)).stdout) as {
    program: { service: string; schema: string }
  }
  const { program: own } = shown
  expect(shown).toEqual({ program: own, service: own, database: { schema: own.schema } })
  expect(program.endsWith(`tiwala-${own.service}`)).toBe(true)
  expect(await server.end('SIGTERM')).toBe(0)
})
test('live: the key ring, the doctor and the first partner need only the release', async () => {
  await using database = await temporaryDatabase('template0')
  const [citizens, operators] = [
    await startProvider('tiwala-citizen'),
    await startProvider('tiwala-operator'),
  ]
  const [port, operatorPort] = [await freePort(), await freePort()]
  const ring = join(database.folder, 'keys.json')
  await runProgram('keys.js', ['init', '--file', ring])
  const settings = {
    TIWALA_ENVIRONMENT: 'live',
    PORT: String(port),
    TIWALA_OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
    TIWALA_PUBLIC_URL: 'https://tiwala.example',
    TIWALA_TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: database.url,
    TIWALA_KEY_RING_FILE: ring,
    TIWALA_CITIZEN_ISSUER: citizens.issuer,
    TIWALA_CITIZEN_JWKS_URL: `${citizens.issuer}/jwks.json`,
    TIWALA_OPERATOR_ISSUER: operators.issuer,
    TIWALA_OPERATOR_JWKS_URL: `${operators.issuer}/jwks.json`,
  }
  const { stdout: diagnosis } = await runProgram('tiwala.js', ['doctor'], settings)
  expect(diagnosis).toContain('No problems.')
  await using server = await start({ ...settings, TIWALA_REUSE_PORT: 'true' })
  const env = {
    TIWALA_OPERATOR_URL: `http://127.0.0.1:${operatorPort}${basePathOf('operator')}`,
    TIWALA_OPERATOR_TOKEN: await operators.sign('admin', 'partners:write credentials:write'),
  }
  const words = [
    '--code',
    'HOTEL',
    '--name',
    'Hotel',
    '--purpose',
    'To register',
    '--scope',
    'PROFILE_INQUIRE',
  ]
  const { stdout } = await runProgram('tiwala.js', ['partner', 'create', ...words], env)
  const partner = parseEnv(stdout)
  const origin = `http://127.0.0.1:${port}`
  const response = await fetch(origin + basePathOf('partner') + routes.partner.readPartnerSelf.path, {
    headers: {
      'X-Secret-Code': partner['TIWALA_SECRET_CODE']!,
      'X-Secret-Token': partner['TIWALA_SECRET_TOKEN']!,
    },
  })
  expect(await response.json()).toMatchObject({ data: { partner_code: 'HOTEL' } })
  const statuses = await Promise.all(
    [`${origin}/docs`, `http://127.0.0.1:${operatorPort}/docs`, `${origin}/sandbox/`].map(statusOf),
  )
  expect(statuses).toEqual([200, 200, 404])
  expect(await server.end('SIGTERM')).toBe(0)
})

test('without a database, the start is refused in one line', async () => {
  await using server = await startProcess({}, [], join(program, 'server.js'))
  expect(await server.exited).toBe(1)
  expect(server.stderr()).toMatch(/^Tiwala cannot start: DATABASE_URL: is required\. .+\n$/)
})
