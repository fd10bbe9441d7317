// `tiwala diagnose`, and the pager.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { promisify, stripVTControlCharacters } from 'node:util'
import { partnerApi, secretHeaders } from '@tiwala/kit/users'
import type { TiwalaError } from '@tiwala/transport'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { print } from '../src/io.ts'
import { withPager } from '../src/pager.ts'
import { createCommand, tiwala, tiwalaJson } from './tiwala.ts'

let count = 0

/** A partner, and the ids of the requests that were refused. */
async function refusedPartner() {
  const code = `DIAGNOSED_${++count}_${process.pid}`
  type Created = { credentials: Parameters<typeof secretHeaders>[0] }
  const { credentials } = (await tiwalaJson(...createCommand(code, code, 'PROFILE_INQUIRE'))) as Created
  const call = partnerApi(new URL(inject('operatorUrl')).origin, secretHeaders(credentials))
  const qr = (digit: string) =>
    call('requestAuthorization', { body: { qr_value: `TWQ1${digit.repeat(32)}` } })
  const refusal = async (request: Promise<unknown>) =>
    ((await request.catch((error: unknown) => error)) as TiwalaError).requestId!
  const ids = [
    await refusal(qr('1')),
    await refusal(qr('2')),
    await refusal(call('inquire', { query: { tracking_no: 'unknown' } })),
  ]
  const listed = async () =>
    ((await tiwalaJson('partner-request', 'list', code)) as { requests: unknown[] }).requests.length
  await expect.poll(listed).toBe(3)
  // A diagnosis is stored apart from its request, and can be later.
  const diagnosisOf = async () =>
    ((await tiwalaJson('partner-request', 'show', ids[0]!)) as { diagnosis: unknown }).diagnosis
  await expect.poll(diagnosisOf).not.toBeNull()
  return { code, ids, call }
}

describe('diagnose', () => {
  test('a request: the check that failed, all checks in their order, and the page of the error', async () => {
    const { code, ids } = await refusedPartner()
    const { exitCode, stdout } = await tiwala(['diagnose', ids[0]!])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^requestAuthorization was refused with 422 qr_value_invalid\.\nThe check qr_value failed/,
    )
    expect(stdout).toMatch(/ {2}passed +request\n(.*\n)* {2}failed +qr_value\n/)
    expect(stdout).toContain(`Partner  ${code}\nRequest  ${ids[0]}, `)
    expect(stdout).toMatch(/Help {5}http:\S+\/errors\/qr_value_invalid\n$/)
    expect(await tiwalaJson('diagnose', ids[0]!)).toEqual(
      await tiwalaJson('partner-request', 'show', ids[0]!),
    )
  })

  test('a partner: its newest refusals by code, and how to go on', async () => {
    const { code, ids, call } = await refusedPartner()
    await call('readPartnerSelf', {})
    const { exitCode, stdout, stderr } = await tiwala(['diagnose', code])
    expect(exitCode).toBe(0)
    const rows = stdout.trim().split('\n')
    expect(rows.length).toBe(3)
    expect(rows[1]).toMatch(new RegExp(`^qr_value_invalid +2 +requestAuthorization +\\S+ +${ids[1]}$`))
    expect(rows[2]).toMatch(new RegExp(`^tracking_no_not_found +1 +inquire +\\S+ +${ids[2]}$`))
    expect(stderr).toBe(`To see which check failed: tiwala diagnose ${ids[1]}\n`)
    expect((await tiwala(['diagnose', code, '--output', 'csv'])).stdout).toMatch(
      /^error,requests,operations,/,
    )
  })

  test('a partner without refusals; exit code 1: an unknown request or partner', async () => {
    const code = `CALM_${process.pid}`
    await tiwala(createCommand(code, code))
    expect((await tiwala(['diagnose', code])).stderr).toBe(`The service has refused no request of ${code}.\n`)
    for (const unknown of ['req_0000000000000000000000', 'UNKNOWN']) {
      const { exitCode, stderr } = await tiwala(['diagnose', unknown])
      expect([unknown, exitCode, stderr]).toEqual([unknown, 1, expect.stringContaining('not_found')])
    }
  })

  test('exit code 1: the message names the scope', async () => {
    const env = {
      TIWALA_OPERATOR_URL: inject('operatorUrl'),
      TIWALA_OPERATOR_TOKEN: inject('scopelessToken'),
    }
    const { exitCode, stderr } = await tiwala(['diagnose', 'SANDBOX'], { env })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('scope partners:read')])
  })
})

describe('the pager', () => {
  const list = ['partner', 'list', '--limit', '1']

  /** Runs a command on a terminal, with a pager that writes into a file. */
  async function page(argv: string[], env: Record<string, string | undefined> = {}, isTerminal = true) {
    const folder = await mkdtemp(join(tmpdir(), 'tiwala-pager-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'paged')
    const outcome = await tiwala(argv, {
      isTerminal,
      env: {
        TIWALA_OPERATOR_URL: inject('operatorUrl'),
        TIWALA_OPERATOR_TOKEN: inject('token'),
        FILE: file,
        TIWALA_PAGER: 'cat > "$FILE"',
        ...env,
      },
    })
    const paged = await readFile(file, 'utf8').catch(() => undefined)
    return {
      ...outcome,
      stdout: stripVTControlCharacters(outcome.stdout),
      paged: paged && stripVTControlCharacters(paged),
    }
  }

  test('gets the results on a terminal, and messages follow it', async () => {
    const { exitCode, stdout, stderr, paged } = await page(list)
    expect([exitCode, stdout]).toEqual([0, ''])
    expect(paged).toMatch(/^PARTNER CODE.*\n.+\n$/)
    expect(stderr).toContain('There are more results.')
    expect((await page(['partner', 'show', 'SANDBOX', '--json'])).paged).toContain(
      '"partner_code": "SANDBOX"',
    )
    const other = await page(list, { TIWALA_PAGER: undefined, PAGER: 'cat > "$FILE"' })
    expect(other.paged).toBe(paged)
  })

  test.each<[string, string[], Record<string, string>, boolean]>([
    ['without a terminal', [], {}, false],
    ['with --no-pager', ['--no-pager'], {}, true],
    ['with an empty value, also if PAGER has one', [], { TIWALA_PAGER: '', PAGER: 'cat > "$FILE"' }, true],
  ])('is off %s', async (_what, options, env, isTerminal) => {
    const { stdout, paged } = await page([...list, ...options], env, isTerminal)
    expect([stdout, paged]).toEqual([expect.stringMatching(/^PARTNER CODE/), undefined])
  })

  test('shows neither a change nor an error', async () => {
    const created = await page(createCommand(`PAGED_${process.pid}`))
    expect([created.exitCode, created.paged]).toEqual([0, undefined])
    expect(created.stdout).toContain('PARTNER_SECRET=')
    const refused = await page(['partner', 'show', 'UNKNOWN'])
    expect([refused.exitCode, refused.paged]).toEqual([1, undefined])
    expect(refused.stderr).toContain('not_found')
  })

  test('exit code 2: it does not exist', async () => {
    const { exitCode, stderr } = await page(list, { TIWALA_PAGER: 'no-such-pager-of-anyone 2> /dev/null' })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Set TIWALA_PAGER, or add --no-pager.')])
  })

  test('what it does not read any more is dropped, without an error', async () => {
    const env = { TIWALA_PAGER: 'head -c 1 > /dev/null' }
    const terminal = { stdin: process.stdin, stdout: Object.assign(new PassThrough(), { isTTY: true }) }
    const shown = withPager({ ...terminal, stderr: process.stderr, env }, true, ({ stdout }) =>
      // Far more than a pipe holds.
      print(stdout, 'a line\n'.repeat(500_000)),
    )
    await expect(shown).resolves.toBeUndefined()
  })

  test('a person who leaves it early ends the command, without an error', async () => {
    for (let created = 0; created < 3; created++)
      await tiwala(createCommand(`LEFT_${created}_${process.pid}`))
    const { stdout } = await promisify(execFile)(
      'script',
      [
        '--quiet',
        '--return',
        '--command',
        `"${process.execPath}" "${join(import.meta.dirname, '../src/main.ts')}" partner list --all --limit 1`,
        '/dev/null',
      ],
      {
        env: {
          ...process.env,
          TIWALA_OPERATOR_URL: inject('operatorUrl'),
          TIWALA_OPERATOR_TOKEN: inject('token'),
          TIWALA_PAGER: 'head -n 1',
        },
      },
    )
    expect(stripVTControlCharacters(stdout).trim()).toMatch(/^PARTNER CODE[^\n]*$/)
  })
})
