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
const GUIDES: [path: string, output: RegExp][] = [
  [
    'guides/first-profile',
    /^Waiting for the citizen\nACCEPTED \{\n {2}uniqid: '[^]*partner_code: 'SANDBOX'[^]*secrets: /m,
  ],
  [
    'guides/ask-and-wait',
    /^Ask the citizen to compare: \w{4}\n[^]*X-Authorization-State: ACCEPTED[^]*"uniqid":"CTZ[^]*No profile: PENDING/im,
  ],
  [
    'guides/sign-in',
    /"passport":\{[^]*Signed in: \w+\n[^]* 303 [^]*exchange_code_invalid req_[^]*Please sign in/,
  ],
  [
    'guides/share-by-qr',
    /X-Authorization-State: VIEWED[^]*Shared by \w+\nAsk the citizen to show a new QR code/i,
  ],
  ['guides/webhooks', /^Received webhook\.test\n204\n204\nRefused: .*signature[^]*\n400\n/im],
  [
    'guides/errors',
    /exchange_code_invalid http:.*\n[^]*credentials passed \n[^]*exchange_code failed unknown/,
  ],
  ['guides/testing', /^declines[^]*TWQ1\w{32}\n\{"now":[^]*"error":"qr_value_invalid"[^]*\n200\n401\n/m],
  ['citizen-app/qr-codes', /^Show TWQ1\w{32}\nShow the next one at 2/m],
  ['citizen-app/events', /^authorization\.requested \w{26}\n/m],
  ['citizen-app/sign-in', /^Open http:\/\/localhost:\d+\/sandbox\/signed-in\?exchange_code=twx_/m],
]

test.each(GUIDES)('%s: its commands work', async (path, expected) => {
  const page = await openPage(service.url)
  await page.goto(`${service.url}/docs/${path}`)
  const samples = await copySamples(page)
  for (const { fileName, code } of samples.filter((sample) => sample.fileName))
    await writeFile(join(folder, fileName), `${code}\n`)
  const output = await runCommands(samples, path === GUIDES[0]![0] ? [] : ['. ./sandbox.sh'])
  expect(output).toMatch(expected)
})

test('every guide with commands is above', async () => {
  const page = await openPage(service.url)
  await page.goto(`${service.url}/docs/guides/first-profile`)
  const links = await page
    .locator('nav a')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')!))
  const guides = links.filter((link) => /^\/docs\/(guides|citizen-app)\//.test(link))
  const withCommands: string[] = []
  for (const link of guides) {
    await page.goto(service.url + link)
    if (await page.locator('main pre[data-language=sh]').count())
      withCommands.push(link.slice('/docs/'.length))
  }
  expect(withCommands).toEqual(GUIDES.map(([path]) => path))
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
