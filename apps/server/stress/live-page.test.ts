// An operator follows "From nothing to live" (`OPERATIONS.md`): the page's commands run word for word, over a
// real PostgreSQL, a real TLS terminator (Caddy) and two identity providers. `live-page.ts` lists what is
// replaced. It needs Caddy and the client programs of PostgreSQL: apt-get install caddy postgresql-client.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../src/testing/start-service.ts'
import { startProvider } from '../test/kit/identity-provider.ts'
import { temporaryFolder, temporaryPostgres } from '../test/kit/temporary-resources.ts'
import { prepareShell } from './live-page.ts'
import { readCommands, replaceAll, startShell } from './page-commands.ts'

test('the commands of the live page lead to a service that serves its first partner', async () => {
  await using folder = await temporaryFolder()
  await using ownPostgres = await temporaryPostgres({})
  const [citizens, operators] = [
    await startProvider('tiwala-citizen'),
    await startProvider('tiwala-operator'),
  ]
  const postgres = new URL(ownPostgres.url)
  const [port, operatorPort, tlsPort] = [await freePort(), await freePort(), await freePort()]
  const environment = await prepareShell(folder.path, postgres.href)
  const replacements = {
    '/opt/tiwala': join(folder.path, 'opt/tiwala'),
    '/etc/tiwala': join(folder.path, 'etc'),
    '/etc/caddy': environment['CADDY']!,
    '/etc/systemd/system': environment['UNITS']!,
    'postgres://tiwala@%2Fvar%2Frun%2Fpostgresql/tiwala': `postgres://tiwala:tiwala@${postgres.host}/tiwala`,
    'https://citizens.example': citizens.issuer,
    'https://operators.example': operators.issuer,
    'tiwala.example': `localhost:${tlsPort}`,
    ':8080': `:${port}`,
    'PORT=8080': `PORT=${port}`,
    ':8081': `:${operatorPort}`,
  }
  const scopes = 'partners:write credentials:write citizens:write'
  await writeFile(join(folder.path, 'token.txt'), await operators.sign('admin', scopes))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => stopAll(folder.path))

  const commands = await readCommands('From nothing to live')
  expect(commands).toHaveLength(7)
  const outputs: string[] = []
  const startedAtMs = performance.now()
  const shell = startShell(environment, folder.path)
  for (const command of commands) outputs.push(await shell.run(replaceAll(command, replacements)))
  shell.end()
  console.log(`The page took ${Math.round((performance.now() - startedAtMs) / 1000)} s.`)

  expect(outputs[2]).toContain('Nothing to mend.')
  expect(outputs[2]).toContain('nothing listens yet')
  expect(outputs[4]).toMatch(/ok +public URL +https:\/\/localhost:\d+ leads to the service/)
  expect(outputs[4]).toContain('Nothing to mend.')
  expect(JSON.parse(outputs[6]!)).toMatchObject({ data: { partner_code: 'HOTEL_MABUHAY' } })
  const partner = parseEnv(await readFile(join(folder.path, 'partner.env'), 'utf8'))
  expect([partner['TIWALA_BASE_URL'], partner['TIWALA_AUTH_URL']]).toEqual(
    Array.from({ length: 2 }, () => `https://localhost:${tlsPort}`),
  )
})

async function stopAll(folder: string): Promise<void> {
  for (const name of ['tiwala', 'caddy']) {
    const pid = Number(await readFile(join(folder, 'logs', `${name}.pid`), 'utf8').catch(() => '0'))
    if (pid) process.kill(pid, 'SIGTERM')
  }
}
