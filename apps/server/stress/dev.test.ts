// `npm run dev` over a copy of the repository.
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { copySourceTree } from '../test/kit/source-tree.ts'
import { temporaryDatabase, temporaryFolder } from '../test/kit/temporary-resources.ts'
import { DEV_TREE, startDev } from './dev-run.ts'

const EDITED = 'spec/partner/paths/inquire.yaml'
const SUMMARY = 'Inquire by tracking number'
const POLICIES = 'apps/server/src/operations.ts'
const OPERATOR = 'spec/operator/openapi.yaml'
const INBOX = 'apps/server/src/sandbox/inbox-page.ts'
/** More than the next server process takes to load its modules. */
const LOAD_MS = 3_000
const GENERATED = 'packages/contract/src/generated/partner.json'

test('a save changes the document and reloads the page; a broken spec changes nothing', async () => {
  await using folder = await temporaryFolder()
  await using database = await temporaryDatabase()
  const tree = folder.path
  await copySourceTree(tree, DEV_TREE)
  const good = await readFile(join(tree, EDITED), 'utf8')
  const broken = good.split('schemas/ViewedAuthorization', 1)[0]!
  const place = `${EDITED}:${broken.split('\n').length}:`
  const save = (text: string) => writeFile(join(tree, EDITED), text)
  // The embedded database and the other documents would only cost time.
  const dev = await startDev(tree, { DATABASE_URL: database.url, TIWALA_DOCUMENTS: 'partner' })
  const partnerDocument = async () => (await fetch(`${dev.url}/openapi/partner.json`)).text()
  await dev.printed('Open http://localhost')

  const page = await fetch(`${dev.url}/`)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(await page.text()).toContain('<script src="/dev/reload.js"></script>')
  expect(await (await fetch(`${dev.url}/dev/reload.js`)).text()).toContain('location.reload()')
  const versions = (await fetch(`${dev.url}/dev/version`)).body!.values()
  const nextVersion = async () => Buffer.from((await versions.next()).value as Uint8Array).toString()
  const firstVersion = await nextVersion()

  const docs = await fetch(`${dev.url}/docs/reference/inquire/`, { redirect: 'manual' })
  expect(docs.headers.get('location')).toBe('/docs/reference/inquire')

  await save(good.replace(SUMMARY, 'Inquire again'))
  await dev.printed('Reloaded after')
  expect(await nextVersion()).not.toBe(firstVersion)
  expect(await partnerDocument()).toContain('Inquire again')

  const generated = await readFile(join(tree, GENERATED), 'utf8')
  await save(good.replace('schemas/ViewedAuthorization', 'schemas/Missing'))
  await dev.printed(place)
  await dev.printed('The last good version keeps running.')
  expect(await partnerDocument()).toContain('Inquire again')
  const generate = promisify(execFile)(process.execPath, [join(tree, 'packages/contract/generate.ts')])
  await expect(generate).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(place) })
  expect(await readFile(join(tree, GENERATED), 'utf8')).toBe(generated)

  // The generator has no sample for this operation.
  await save(good.replace('operationId: inquire', 'operationId: inquireTwice'))
  await dev.printed('has no call of the client for inquireTwice')
  await dev.printed('The last good version keeps running.')
  expect(await partnerDocument()).toContain('Inquire again')

  const policies = await readFile(join(tree, POLICIES), 'utf8')
  await writeFile(join(tree, POLICIES), `${policies}\nthrow new Error('no policy')\n`)
  await dev.printed('no policy')
  await dev.printed('The last good version keeps running.')
  expect(await partnerDocument()).toContain('Inquire again')
  await writeFile(join(tree, POLICIES), policies)
  await dev.printed('Reloaded after')

  await save(good)
  await dev.printed('Reloaded after')
  expect(await partnerDocument()).toContain(SUMMARY)

  // The document is valid. The linter does not know the tag.
  await save(good.replace('tags: [Partner profile]', 'tags: [Unknown]'))
  await dev.printed(`${EDITED}:3:`)

  // Ctrl+C in a terminal is followed by the signal of npm.
  dev.child.kill('SIGINT')
  dev.child.kill('SIGTERM')
  await vi.waitUntil(() => dev.child.exitCode !== null, { timeout: 60_000 })
  expect(dev.child.exitCode).toBe(0)
})

test('a server process that was loaded before a save serves what the save changes', async () => {
  await using folder = await temporaryFolder()
  await using database = await temporaryDatabase()
  const tree = folder.path
  await copySourceTree(tree, DEV_TREE)
  const dev = await startDev(tree, { DATABASE_URL: database.url, TIWALA_DOCUMENTS: 'partner' })
  const edit = async (file: string, from: string, to: string) => {
    const text = await readFile(join(tree, file), 'utf8')
    expect(text).toContain(from)
    await writeFile(join(tree, file), text.replace(from, to))
  }
  const inbox = async () => (await fetch(`${dev.url}/sandbox/inbox`)).text()
  await dev.printed('Open http://localhost')

  await sleep(LOAD_MS)
  await edit(EDITED, SUMMARY, 'Inquire again')
  await dev.printed('Reloaded after')
  expect(await (await fetch(`${dev.url}/openapi/partner.json`)).text()).toContain('Inquire again')

  await sleep(LOAD_MS)
  await edit(INBOX, '<h1>Inbox</h1>', '<h1>Second inbox</h1>')
  await dev.printed('Reloaded after')
  expect(await inbox()).toContain('<h1>Second inbox</h1>')

  // The page shows this path, which the server imports from generated TypeScript.
  await sleep(LOAD_MS)
  await edit(OPERATOR, '/test-callback:', '/try-callback:')
  await dev.printed('Reloaded after')
  expect(await inbox()).toContain('/try-callback')

  // The broken spec delays the changed source until the spec is as before, so that no document changes.
  await sleep(LOAD_MS)
  await edit(INBOX, '<h1>Second inbox</h1>', '<h1>Third inbox</h1>')
  await edit(EDITED, 'schemas/ViewedAuthorization', 'schemas/Missing')
  await dev.printed('The last good version keeps running.')
  await sleep(LOAD_MS)
  await edit(EDITED, 'schemas/Missing', 'schemas/ViewedAuthorization')
  await dev.printed('Reloaded after')
  expect(await inbox()).toContain('<h1>Third inbox</h1>')
})
