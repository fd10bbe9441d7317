// The commands of the guides, as a reader copies them: unchanged, one guide after the other, in a folder that
// was empty at the start.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { openPage } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { copySamples, type Sample } from './read-samples.ts'

const service = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })
const folder = await mkdtemp(join(tmpdir(), 'tiwala-guides-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Every guide with commands, in the order in which a reader meets them, and what its commands print. */
const GUIDES: [path: string, ...output: RegExp[]][] = [
  [
    'guides/first-profile',
    /^Waiting for the citizen\nACCEPTED \{\n {2}uniqid: '/m,
    /partner_code: 'SANDBOX'/,
  ],
  [
    'guides/ask-and-wait',
    /^Ask the citizen to compare: \w{4}\n/,
    /^X-Authorization-State: ACCEPTED\r?\n[^]*"uniqid":"CTZ/im,
    /^Ask the citizen to compare: \w{4}\n\{\n {2}uniqid: 'CTZ/m,
    /^No profile: CANCELLED\n/m,
  ],
  [
    'guides/sign-in',
    /"passport":\{/,
    /^Signed in: Maria Clara\nHTTP\/1.1 303 [^]*^HTTP\/1.1 200 [^]*^You are signed in: CTZ/m,
    /^HTTP\/1.1 400 [^]*^exchange_code_invalid req_\w+\nHTTP\/1.1 400 /m,
  ],
  [
    'guides/share-by-qr',
    /^X-Authorization-State: VIEWED\r?\n/im,
    /^Shared by Maria Clara\nAsk the citizen to show a new QR code/m,
  ],
  ['guides/webhooks', /^Received webhook\.test\n/m, /^204\n[^]*^204\n[^]*^400\n/m, /Refused: No signature/],
  [
    'guides/errors',
    /^exchange_code_invalid http:/,
    /^credentials passed/m,
    /^exchange_code failed mistyped/m,
  ],
  [
    'guides/testing',
    /^declines/m,
    /^TWQ1\w{32}$/m,
    /^\{"advanced_seconds":[^]*"error":"qr_value_invalid"/m,
    /^200\n401\n/m,
  ],
  ['citizen-app/qr-codes', /^Show TWQ1\w{32}\nShow the next one at 2/],
  ['citizen-app/events', /^Pending: \d\n/, /^authorization\.requested \w{26}\n/m],
  ['citizen-app/sign-in', /^Open http:\/\/localhost:\d+\/sandbox\/signed-in\?exchange_code=twx_/],
]

test.each(GUIDES)('%s: its commands work', async (path, ...expected) => {
  const page = await openPage(service.url)
  await page.goto(`${service.url}/docs/${path}`)
  const samples = await copySamples(page)
  for (const { fileName, code } of samples.filter((sample) => sample.fileName))
    await writeFile(join(folder, fileName), `${code}\n`)
  const output = await runCommands(samples, path === GUIDES[0]![0] ? [] : ['. ./sandbox.sh'])
  for (const part of expected) expect(output).toMatch(part)
})

test('every guide with commands is above', async () => {
  const read = async (path: string) => (await fetch(`${service.url}/docs/${path}`)).text()
  const pages = (await read('llms.txt')).matchAll(/\/docs\/((?:guides|citizen-app)\/[\w-]+)\.md/g)
  const withCommands = new Set<string>()
  for (const [, path] of pages) if ((await read(`${path}.md`)).includes('```sh\n')) withCommands.add(path!)
  expect(withCommands).toEqual(new Set(GUIDES.map(([path]) => path)))
})

/** Runs the commands in one shell, and fails with its output if a command fails. */
async function runCommands(samples: Sample[], before: string[]): Promise<string> {
  const commands = samples.filter(({ fileName, language }) => !fileName && language === 'sh')
  const script = ['set -e', 'exec 2>&1', ...before, ...commands.map(({ code }) => code)].join('\n')
  // A new process group, so that what a failed command left in the background ends with the test.
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    detached: true,
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: folder },
  })
  const [output, code] = await Promise.all([
    text(shell.stdout),
    new Promise((resolve) => void shell.once('exit', resolve)),
  ])
  if (code !== 0) throw new Error(`exit code ${String(code)}:\n${output}`)
  return output
}
