// A process of `npm run dev` ends by itself: the terminal says so, and the next save works.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { says, sendTo } from '../dev/messages.ts'
import { listGroupMembers } from '../test/kit/process-table.ts'
import { copySourceTree } from '../test/kit/source-tree.ts'
import { temporaryDatabase, temporaryFolder } from '../test/kit/temporary-resources.ts'
import { childrenOf, DEV_TREE, startDev } from './dev-run.ts'

const EDITED = 'spec/partner/paths/inquire.yaml'
const POLICIES = 'apps/server/src/operations.ts'
const LINTER = 'apps/server/dev/lint-process.ts'
const SUMMARY = 'Inquire by tracking number'
const FINDING = `${EDITED}:3:`
const AGAIN_NOW = 'The linter ended (exit code 9). It starts again now.'
const AT_NEXT_SAVE = 'The linter ended (exit code 9). It starts again at the next save of spec/.'

/** The compiler of a tree that checks types. It never ends by itself. */
const ENDLESS_COMPILER = { 'bin/tsc': 'setInterval(() => {}, 1_000)', 'package.json': '{}' }
/** A renderer of the documentation that answers each request with its process id. */
const RENDERER = {
  'package.json': '{ "type": "module" }',
  'bin/astro.mjs': `import { createServer } from 'node:http'
createServer((req, res) => res.end(String(process.pid)))
  .listen(Number(process.argv[4]), () => console.log('ready in 1 ms'))`,
}

/** A linter that ends when it is asked, as long as one of these files exists. */
const FAILING = `import { existsSync, rmSync } from 'node:fs'
process.on('message', () => {
  const isFailing = existsSync('fail-once') || existsSync('fail-always')
  rmSync('fail-once', { force: true })
  if (isFailing) process.exit(9)
})
`

async function replacePackage(folder: string, files: Record<string, string>): Promise<void> {
  await rm(folder, { force: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

/** `npm run dev` over a copy of the repository, and what a test does with it. */
async function useDev(tree: string, databaseUrl: string) {
  const good = await readFile(join(tree, EDITED), 'utf8')
  const dev = await startDev(tree, { DATABASE_URL: databaseUrl, TIWALA_DOCUMENTS: 'partner' })
  /** Ends the process that was started with this command, as the operating system does. */
  const kill = async (command: string) => {
    const [id] = await vi.waitUntil(
      () => {
        const ids = childrenOf(dev.child.pid!, command)
        return ids.length ? ids : undefined
      },
      { timeout: 60_000, interval: 20 },
    )
    process.kill(id!, 'SIGKILL')
  }
  let saves = 0
  /** A valid save that changes the document. Waits for the new server, and for these lines. */
  const save = async (lines: string[] = [], tag = 'Partner profile') => {
    const summary = `${SUMMARY}, ${++saves}`
    await writeFile(join(tree, EDITED), good.replace(SUMMARY, summary).replace('Partner profile', tag))
    await dev.printed('Reloaded after', ...lines)
    expect(await (await fetch(`${dev.url}/openapi/partner.json`)).text()).toContain(summary)
  }
  /** The linter does not know the tag. */
  const saveWithFinding = (lines: string[] = []) => save([FINDING, ...lines], 'Unknown')
  /** Ctrl+C in a terminal reaches every process. Returns what is printed until all have ended. */
  const stop = async () => {
    process.kill(-dev.child.pid!, 'SIGINT')
    const hasEnded = async () => !(await listGroupMembers(dev.child.pid!)).length
    await vi.waitUntil(hasEnded, { timeout: 60_000 })
    return dev.rest()
  }
  return { ...dev, kill, save, saveWithFinding, stop }
}

test('the linter, the server, the compiler or the documentation ends: the next save works', async () => {
  await using folder = await temporaryFolder()
  await using database = await temporaryDatabase()
  const tree = folder.path
  await copySourceTree(tree, [...DEV_TREE, 'apps/server/tsconfig.json'])
  await replacePackage(join(tree, 'node_modules/typescript'), ENDLESS_COMPILER)
  await replacePackage(join(tree, 'apps/docs/node_modules/astro'), RENDERER)
  await writeFile(join(tree, 'apps/docs/package.json'), '{}')
  const { child, url, printed, kill, save, saveWithFinding, stop } = await useDev(tree, database.url)
  await printed('Open http://localhost')

  await kill('typescript/bin/tsc')
  await printed('The type check of apps/server ended (SIGKILL).')
  await printed('Types: not all checked.')

  await kill('dev/lint-process.ts')
  await printed('The linter ended (SIGKILL). It starts again at the next save of spec/.')
  await saveWithFinding()

  await kill('dev/server.ts')
  await printed('The server ended (SIGKILL). It starts again at the next save.')
  expect((await fetch(url)).status).toBe(503)
  // This save changes no document.
  await writeFile(join(tree, EDITED), `${await readFile(join(tree, EDITED), 'utf8')}# A comment\n`)
  await printed('Reloaded after')
  expect((await fetch(url)).status).toBe(200)

  const page = async () => (await fetch(`${url}/docs`)).text()
  const renderer = await page()
  await kill('bin/astro.mjs')
  await printed('The documentation ended (SIGKILL). It starts again when you open a page of it.')
  expect(await page()).not.toBe(renderer)

  const policies = await readFile(join(tree, POLICIES), 'utf8')
  await writeFile(join(tree, POLICIES), `process.kill(process.pid, 'SIGKILL')\n${policies}`)
  await printed('The new server ended (SIGKILL).')
  await printed('The last good version keeps running.')
  expect((await fetch(url)).status).toBe(200)
  await writeFile(join(tree, POLICIES), policies)
  await save()

  await vi.waitUntil(() => childrenOf(child.pid!, 'typescript/bin/tsc').length)
  expect(await stop()).not.toContain(' ended (')
})

test('a process that has ended gets no message and sends none', async () => {
  const child = fork(join(import.meta.dirname, '../dev/lint-process.ts'))
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  sendTo(child, 'lint')
  expect(await says(child, 'ready')).toBe(false)
})

test('the linter ends while it lints: the save is linted at most once more', async () => {
  await using folder = await temporaryFolder()
  await using database = await temporaryDatabase()
  const tree = folder.path
  await copySourceTree(tree, DEV_TREE)
  const linter = await readFile(join(tree, LINTER), 'utf8')
  await writeFile(join(tree, LINTER), FAILING + linter)
  const { printed, save, saveWithFinding, stop } = await useDev(tree, database.url)
  await printed('Open http://localhost')
  await writeFile(join(tree, 'fail-once'), '')
  await saveWithFinding([AGAIN_NOW])

  await writeFile(join(tree, 'fail-always'), '')
  await save([AGAIN_NOW, AT_NEXT_SAVE])
  await save([AT_NEXT_SAVE])
  await rm(join(tree, 'fail-always'))
  await saveWithFinding()
  expect(await stop()).not.toContain(' ended (')
})
