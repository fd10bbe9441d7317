// Act 8: what was sent, copied as curl and as client code.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { copiedText, openSandbox, type SandboxPage, USES } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

/** The server runs in this process, so nothing may block it. */
const run = promisify(execFile)

/** Runs a program that a visitor copied, unchanged, in an empty folder. */
async function runCopied(text: string, kind: 'curl' | 'code'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tiwala-act-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  if (kind === 'curl') return (await run('bash', ['-c', text], { cwd: folder })).stdout
  const [, install] = /npm (install \S+)/.exec(text) ?? []
  if (install) await run('npm', [...install.split(' '), '--silent'], { cwd: folder })
  writeFileSync(join(folder, 'act.mjs'), text)
  return (await run(process.execPath, ['act.mjs'], { cwd: folder })).stdout
}

/** Opens the newest request of an operation, and copies it. */
async function copyAct(sandbox: SandboxPage, side: 'Phone' | 'Desk', operation: string, view: string) {
  await sandbox.show('Timeline')
  // An inquiry of the desk may become the newest request at any time.
  const newest = sandbox.sentBy(side, operation).first()
  if (!(await newest.getByRole('button', { name: view }).isVisible()))
    await sandbox.follow(newest.locator('summary').first())
  await sandbox.click(view, newest)
  await sandbox.click('Copy', newest.locator('.snippet'))
  return copiedText(sandbox.page)
}

describe.each(USES)('$use', (use) => {
  test('what was sent is copied as curl', async () => {
    const sandbox = await openSandbox(url, use)
    await sandbox.ask()
    await sandbox.record.waitFor()
    await sandbox.pause()
    expect(await copyAct(sandbox, 'Desk', 'requestAuthorization', 'curl')).toMatch(
      /curl [^]*request_authorization/,
    )
  })
})

test('an act, copied as curl and as client code, runs unchanged in an empty folder', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  await sandbox.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await sandbox.ask()
  await sandbox.record.waitFor()
  const last4 = await sandbox.record.locator('.last4').textContent()
  const curl = await copyAct(sandbox, 'Desk', 'requestAuthorization', 'curl')
  expect(await runCopied(curl, 'curl')).toMatch(/200 OK[\s\S]*"tracking_no":"/)
  const code = await copyAct(sandbox, 'Desk', 'requestAuthorization', 'Client code')
  expect(await runCopied(code, 'code')).toMatch(/state: 'PENDING'/)
  // The copied programs have asked, too.
  await sandbox.click('Accept', sandbox.page.getByRole('article', { name: `Request ${last4}` }))
  await sandbox.profile.waitFor()
  expect(
    await runCopied(await copyAct(sandbox, 'Phone', 'acceptAuthorization', 'Client code'), 'code'),
  ).toMatch(/^200 .*ACCEPTED/)
})
