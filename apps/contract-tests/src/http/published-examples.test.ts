import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { verifyWebhook } from '@tiwala/client'
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'

const GUIDE = partner.info.description
const ROOT = join(import.meta.dirname, '../../../..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const FIRST_PROFILE = readFileSync(join(ROOT, 'apps/docs/src/content/docs/guides/first-profile.mdx'), 'utf8')

const service = await startServiceForFile()

/** The first fenced code block in this language that contains the given text. */
const block = (text: string, language: string, holding: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\b[^\\n]*\\n(.*?)^\`\`\``, 'gms'))]
    .map(([, code]) => code!)
    .find((code) => code.includes(holding))!

/** Runs a script in a process of its own, as a new developer does. Returns its output. */
async function run(script: string): Promise<string> {
  const here = script.replace('http://localhost:8080', service.url)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', here], {
    cwd: import.meta.dirname,
  })
  return stdout
}

describe('the examples of the documents', () => {
  test('the first profile is the same in README.md and in the guide, and arrives', async () => {
    const script = block(README, 'js', 'waitForAcceptance')
    expect(block(FIRST_PROFILE, 'js', 'waitForAcceptance')).toBe(script)
    expect(await run(script)).toMatch(/^Waiting for the citizen\nACCEPTED \{\n {2}uniqid: '/)
  })

  test('the sign-in of README.md arrives', async () => {
    expect(await run(block(README, 'js', 'createSsoClient'))).toMatch(/^\{\n {2}uniqid: '.*passport: \{/s)
  })

  test('the signed event verifies, and the shell commands give the same signature', async () => {
    const cell = (name: string) =>
      GUIDE.split('\n')
        .find((line) => line.startsWith(`| ${name} |`))!
        .split('`')
        .at(-2)!
    const [secret, id, timestamp, body] = [
      'Webhook secret',
      '`webhook-id`',
      '`webhook-timestamp`',
      'Body',
    ].map(cell) as [string, string, string, string]
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': cell('`webhook-signature`'),
    }
    const { event } = await verifyWebhook(body, headers, secret, { now: new Date(Number(timestamp) * 1000) })
    expect(event).toEqual(
      partner.webhooks['authorization.accepted'].post.requestBody.content['application/json'].example,
    )
    expect(cell('What is signed')).toBe(`${id}.${timestamp}.${body}`)
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex')).toBe(
      cell('Key, in hexadecimal'),
    )
    const shell = block(GUIDE, 'sh', 'openssl')
    expect(shell).toContain(`SECRET='${secret}'\nSIGNED='${cell('What is signed')}'\n`)
  })
})
