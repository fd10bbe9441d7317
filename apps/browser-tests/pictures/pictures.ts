// `npm run screenshots`: the pictures of the README, from the sandbox page after an accepted request, and from
// `architecture.html`.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'vitest'
import { DESKTOP, openUnwatchedPage } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox } from '../sandbox/sandbox-page.ts'

const { url } = await startServiceForFile()
const fileOf = (name: string) => join(import.meta.dirname, name)

test('the architecture', async () => {
  const page = await openUnwatchedPage({ width: 1200 })
  await page.goto(pathToFileURL(fileOf('architecture.html')).href)
  await page.locator('body').screenshot({ path: fileOf('architecture.png') })
})

test('the sandbox page', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  await sandbox.ask()
  await sandbox.request.waitFor()
  await sandbox.answer('Accept')
  await sandbox.profile.waitFor()
  await sandbox.page.evaluate(() => scrollTo(0, 0))
  await sandbox.page.screenshot({ path: fileOf('sandbox.png') })
})
