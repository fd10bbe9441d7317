// An operator restores a backup and follows "Back up and restore" (`OPERATIONS.md`): the page's commands run
// word for word, over a PostgreSQL of Debian with a base backup and archived WAL. After the point in time of
// the restore, 1,000 things were revoked, suspended, withdrawn, erased, frozen or blocked.
// It needs PostgreSQL and curl: apt-get install postgresql curl.
import { execFile, spawn } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { basePathOf } from '../src/contract/documents.ts'
import { freePort } from '../src/testing/start-service.ts'
import { startProvider } from '../test/kit/identity-provider.ts'
import { LIVE } from '../test/kit/live-settings.ts'
import { temporaryFolder } from '../test/kit/temporary-resources.ts'
import { createThings, findChanged, readForbidden, readResumed, readRows } from './lost-things.ts'
import { readCommands, replaceAll, startShell } from './page-commands.ts'
import { readNow } from './read-now.ts'
import { prepareRestore, ROOT } from './restore-page.ts'

const THINGS = 1_000
/** Ends only a test that hangs: on a busy machine it takes ten minutes. */
const TIMEOUT_MS = 2_400_000
/** The command is killed after this many changes. */
const BEFORE_KILL = 300

/** Asynchronous, because the identity providers answer from this process. */
const run = async (environment: NodeJS.ProcessEnv, script: string): Promise<string> =>
  (await promisify(execFile)('bash', ['--norc', '-euc', script], { env: environment, cwd: ROOT })).stdout

/** Kills `tiwala restore-complete --replay` in the middle. Returns how many changes it has reported. */
async function killInTheMiddle(environment: NodeJS.ProcessEnv, argv: string[]): Promise<number> {
  const child = spawn('tiwala', argv, { env: environment, cwd: ROOT })
  let stdout = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    if (stdout.split('\n').length > BEFORE_KILL) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return stdout.split('\n').length - 1
}

test(
  '0 of 1,000 things come back after a point-in-time restore, and the rest is untouched',
  { timeout: TIMEOUT_MS },
  async () => {
    await using folder = await temporaryFolder()
    const { environment, url } = await prepareRestore(folder.path)
    await using stack = new AsyncDisposableStack()
    stack.defer(async () => {
      await run(environment, '! [ -e "$FOLDER/tiwala.pid" ] || systemctl stop tiwala@1 tiwala@2 || true')
      await run(environment, 'systemctl stop postgresql || true')
    })
    await run(environment, 'systemctl start postgresql')
    await run(environment, 'node apps/server/keys.js init --file "$FOLDER/etc/keys.json"')
    const [port, operatorPort] = [await freePort(), await freePort()]
    const [citizens, operators] = [
      await startProvider('tiwala-citizen'),
      await startProvider('tiwala-operator'),
    ]
    const settings = {
      ...LIVE,
      PORT: port,
      DATABASE_URL: url,
      TIWALA_OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
      TIWALA_KEY_RING: undefined,
      TIWALA_KEY_RING_FILE: join(folder.path, 'etc/keys.json'),
      TIWALA_CITIZEN_ISSUER: citizens.issuer,
      TIWALA_CITIZEN_JWKS_URL: citizens.issuer,
      TIWALA_OPERATOR_ISSUER: operators.issuer,
      TIWALA_OPERATOR_JWKS_URL: operators.issuer,
      TIWALA_REQUESTS_PER_MINUTE: 1_000_000,
      // So long that a busy test machine does not exceed them.
      TIWALA_MAX_QUEUED_MS: 60_000,
      TIWALA_REQUEST_DEADLINE_MS: 60_000,
    }
    const lines = Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    )
    await writeFile(join(folder.path, 'tiwala.env'), lines.join('\n'))
    const scopes =
      'audit:read restore:write partners:read partners:write credentials:write citizens:write citizens:erase'
    const token = await operators.sign('admin', scopes)
    await writeFile(join(folder.path, 'token.txt'), token)
    const things = await createThings({
      url: `http://127.0.0.1:${port}`,
      operatorUrl: `http://127.0.0.1:${operatorPort}`,
      token,
      tokenOf: (uniqid) => citizens.sign(uniqid),
    })

    const commands = await readCommands('OPERATIONS.md', 'Back up and restore')
    expect(commands).toHaveLength(9)
    const [archive, baseBackup, keys, exportAudit, close, restore, start, replay, open] = commands as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    const replacements: Record<string, string> = {
      '/var/backups/tiwala': join(folder.path, 'backups'),
      '/etc/tiwala': join(folder.path, 'etc'),
      '/media/safe': join(folder.path, 'safe'),
      // A busy machine needs longer.
      '--retry 30': '--retry 300',
      ':8080': `:${port}`,
      ':8081': `:${operatorPort}`,
    }
    const shell = startShell(environment, ROOT)
    const startedAtMs = performance.now()
    const runBlock = (block: string) => shell.run(replaceAll(block, replacements))

    await runBlock(archive)
    await run(
      environment,
      `systemctl start tiwala@1 tiwala@2\n${replaceAll(start.split('\n').at(-2)!, replacements)}`,
    )
    await runBlock(baseBackup)
    await runBlock(keys)
    // These rows are in the WAL only.
    await things.create()
    await runBlock(exportAudit)
    for (const name of ['base', 'export'])
      expect((await stat(join(folder.path, `backups-${name}.done`))).isFile()).toBe(true)
    const before = await readRows(url)
    replacements['2026-01-31 12:00:00+00'] = await readNow(url)
    replacements['2026-01-31'] = (await run(environment, 'date +%F')).trim()
    await things.change()
    const forbidden = await readForbidden(url)
    expect(forbidden).toHaveLength(THINGS)

    await runBlock(close)
    const restoredAtMs = performance.now()
    await runBlock(restore)
    await runBlock(start)
    // Control: without the replay, everything comes back.
    expect(await readForbidden(url)).toEqual([])
    expect(findChanged(before, await readRows(url), [])).toEqual([])
    const replayArgv = ['restore-complete', '--yes', '--token-file', join(folder.path, 'token.txt')]
    const operatorUrl = `http://127.0.0.1:${operatorPort}${basePathOf('operator')}`
    const atOperator = { ...environment, TIWALA_OPERATOR_URL: operatorUrl }
    const killedAfter = await killInTheMiddle(atOperator, [
      ...replayArgv,
      '--replay',
      join(folder.path, 'audit.ndjson'),
    ])
    expect(killedAfter).toBeLessThan(THINGS)

    const replayedAtMs = performance.now()
    const output = await runBlock(replay)
    const [endedAtMs, forbiddenAfter] = [performance.now(), await readForbidden(url)]
    const cameBack = forbidden.filter((thing) => !forbiddenAfter.includes(thing))
    const seconds = (fromMs: number, untilMs: number) => `${Math.round((untilMs - fromMs) / 1000)} s`
    console.log(
      `${cameBack.length} of ${forbidden.length} came back. Killed after ${killedAfter} changes.`,
      `Restore: ${seconds(restoredAtMs, replayedAtMs)},`,
      `the rest of the replay: ${seconds(replayedAtMs, endedAtMs)},`,
      `the page: ${seconds(startedAtMs, endedAtMs)}.`,
    )
    expect(cameBack).toEqual([])
    expect(forbiddenAfter).toEqual(forbidden)
    expect(await readResumed(url)).toEqual(['ACTIVE'])
    expect(findChanged(before, await readRows(url), forbidden)).toEqual([])
    expect(output).toMatch(/in the backup: 0, changed since: 0, NOT APPLIED: 0\. The epoch is now 2\./)
    expect(output.match(/^to do: SECRETS_\d+ needs a new partner_secret/gm)).toHaveLength(150)
    expect(output).toContain('The audit is intact.')

    const rest = await readRows(url)
    expect(await runBlock(replay)).toMatch(
      /^applied: 0, already in effect: 1020, not .* NOT APPLIED: 0\. The epoch was raised before\./m,
    )
    expect(findChanged(rest, await readRows(url), [])).toEqual([])
    await runBlock(open)
    shell.end()
    expect(await readFile(join(folder.path, 'safe/keys.json'), 'utf8')).toContain('"keys"')
  },
)
