// An operator follows "From nothing to live" (`OPERATIONS.md`) and `UPGRADING.md`: the commands run word for
// word, over a real PostgreSQL, a real TLS terminator (Caddy) and two identity providers. `live-page.ts`
// lists what is replaced. It needs: apt-get install caddy curl jq postgresql-client xz-utils.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { freePort } from '@tiwala/server/testing'
import { readCommands, replaceAll, startShell } from '@tiwala/server/testing-page'
import { startProvider } from '@tiwala/server/testing-provider'
import { temporaryFolder, temporaryPostgres } from '@tiwala/server/testing-resources'
import { expect, test } from 'vitest'
import { pack } from './build.ts'
import { packNextVersion, prepareDownloads, prepareShell } from './live-page.ts'

const CITIZEN = 'CTZ-0000000001'

test('the live page leads to both journeys; the next version replaces the first', async () => {
  await pack()
  await using folder = await temporaryFolder()
  await using ownPostgres = await temporaryPostgres({})
  const [citizens, operators] = [
    await startProvider('tiwala-citizen'),
    await startProvider('tiwala-operator'),
  ]
  const postgres = new URL(ownPostgres.url)
  const [port, tlsPort, ...operatorPorts] = await Promise.all(Array.from({ length: 4 }, freePort))
  const inFolder = (path: string) => join(folder.path, path)
  const downloads = await prepareDownloads(folder.path)
  const replacements = {
    [`https://nodejs.org/dist/${process.version}`]: downloads,
    'https://releases.example': downloads,
    '/usr/local': inFolder('usr/local'),
    '/opt': inFolder('opt'),
    '/etc/tiwala': inFolder('etc'),
    '/etc/caddy': inFolder('caddy'),
    '/etc/systemd/system': inFolder('units'),
    'postgres://tiwala@%2Fvar%2Frun%2Fpostgresql/tiwala': `postgres://tiwala:tiwala@${postgres.host}/tiwala`,
    'https://citizens.example': citizens.issuer,
    'https://operators.example': operators.issuer,
    'tiwala.example': `localhost:${tlsPort}`,
    ':8080': `:${port}`,
    'PORT=8080': `PORT=${port}`,
    ':8081': `:${operatorPorts[0]}`,
    ':8082': `:${operatorPorts[1]}`,
  }
  const scopes = 'partners:write credentials:write citizens:write citizens:erase'
  await writeFile(inFolder('token.txt'), await operators.sign('admin', scopes))
  await writeFile(inFolder('citizen-token.txt'), await citizens.sign(CITIZEN))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => stopAll(folder.path))

  const commands = await readCommands('OPERATIONS.md', 'From nothing to live')
  expect(commands).toHaveLength(9)
  const outputs: string[] = []
  const startedAtMs = performance.now()
  const shell = startShell(await prepareShell(folder.path, postgres.href, operatorPorts), folder.path)
  const runBlock = (block: string) => shell.run(replaceAll(block, replacements))
  for (const command of commands) outputs.push(await runBlock(command))
  console.log(`The page took ${Math.round((performance.now() - startedAtMs) / 1000)} s.`)

  const [install, , check, , checkAll, checkToken, , journeys, metrics] = outputs
  expect(install).toMatch(/^node-.+: OK$/m)
  expect(install).toMatch(/^tiwala-.+: OK$/m)
  expect(check).toContain('No problems.')
  expect(check).toContain('nothing listens yet')
  expect(checkAll).toMatch(/ok +public URL +https:\/\/localhost:\d+ leads to the service/)
  expect(checkAll).toContain('No problems.')
  expect(checkToken).toContain('No problems.')
  expect(journeys!.match(new RegExp(`"uniqid": "${CITIZEN}"`, 'g'))).toHaveLength(2)
  expect(journeys).toContain('"passport_number"')
  expect(metrics).toMatch(/^tiwala_requests_total\{operation="authenticate",.*\} 1$/m)
  const partner = parseEnv(await readFile(inFolder('partner.env'), 'utf8'))
  expect([partner['TIWALA_BASE_URL'], partner['TIWALA_AUTH_URL']]).toEqual(
    Array.from({ length: 2 }, () => `https://localhost:${tlsPort}`),
  )

  const [prepare] = await readCommands('UPGRADING.md', 'Before you upgrade')
  const [version] = /(?<=^VERSION=).+$/m.exec(prepare!)!
  await packNextVersion(folder.path, version)
  const [replace] = await readCommands('UPGRADING.md', 'Upgrade without downtime')
  const isNext = async () =>
    (await (await fetch(`http://127.0.0.1:${port}/docs`)).text()).includes(`tiwala-${version}`)
  expect(await runBlock(prepare!)).toContain('No problems.')
  expect(await isNext()).toBe(false)
  await runBlock(replace!)
  expect(await isNext()).toBe(true)

  await shell.run('sudo systemctl stop tiwala@1 tiwala@2')
  const away = `https://localhost:${tlsPort}/?qr_value=CANARY`
  const refused = await shell.run(`curl --silent --include -H 'X-Secret-Token: CANARY' '${away}'`)
  expect(refused).toMatch(/^HTTP\S+ 502/)
  const logged = await readFile(inFolder('logs/caddy.log'), 'utf8')
  expect(logged).toContain('connection refused')
  expect(logged).not.toContain('CANARY')
  shell.end()
})

async function stopAll(folder: string): Promise<void> {
  for (const name of ['tiwala@1', 'tiwala@2', 'caddy']) {
    const pid = Number(await readFile(join(folder, 'logs', `${name}.pid`), 'utf8').catch(() => '0'))
    if (pid) process.kill(pid, 'SIGTERM')
  }
}
