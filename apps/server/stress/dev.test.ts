// `npm run dev` over a copy of the repository, as in "A change, walked" of `spec/README.md`.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, readlink, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { killGroupWithParent } from '../src/testing/process-group.ts'
import { freePort } from '../src/testing/start-service.ts'
import { copySourceTree } from '../test/kit/source-tree.ts'
import { temporaryDatabase, temporaryFolder } from '../test/kit/temporary-resources.ts'

const TREE = [
  'LICENSE',
  'package.json',
  'package-lock.json',
  'turbo.json',
  'redocly.yaml',
  'tsconfig.base.json',
  'spec',
  ...['contract', 'client', 'transport', 'ui'].map((name) => `packages/${name}`),
  ...['cli', 'console', 'kit', 'sandbox', 'server', 'workbench'].map((name) => `apps/${name}`),
]
const DOCUMENT = 'spec/citizen-app/openapi.yaml'
const PATH_FILE = 'spec/citizen-app/paths/preferences.yaml'
const ADDED = 'spec/citizen-app/paths/read-preferences-again.yaml'
const OPERATIONS = 'apps/server/src/operations.ts'
const KEPT = 'The last good version keeps running.'

/** The commands of the processes that work in the tree. */
async function commandsIn(tree: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = async (id: string) => {
    const folder = await readlink(`/proc/${id}/cwd`)
    return folder.startsWith(tree) ? [await readFile(`/proc/${id}/cmdline`, 'utf8')] : []
  }
  // A process can end meanwhile.
  return (await Promise.all(ids.map((id) => read(id).catch(() => [])))).flat()
}

/** Starts `npm run dev` in the tree. It ends before the tree is removed, into which its processes write caches. */
async function startDev(tree: string, settings: Record<string, string>) {
  const port = await freePort()
  const child = spawn(process.execPath, ['apps/server/dev/main.ts'], {
    cwd: tree,
    env: { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'warn', ...settings },
    detached: true,
  })
  killGroupWithParent(child)
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void (output += chunk))
  /** Waits until the text is printed. Returns the output up to it, and forgets it. */
  const printed = async (text: string) => {
    await expect.poll(() => output, { timeout: 120_000 }).toContain(text)
    const end = output.indexOf(text) + text.length
    const before = output.slice(0, end)
    output = output.slice(end)
    return before
  }
  return {
    child,
    printed,
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill()
      await closed
    },
  }
}

test('a broken document, its repair, a new operation and a killed server: every save has an effect', async () => {
  await using folder = await temporaryFolder()
  await using database = await temporaryDatabase()
  const tree = folder.path
  await copySourceTree(tree, TREE)
  await using dev = await startDev(tree, { DATABASE_URL: database.url, TIWALA_DOCUMENTS: 'citizen-app' })
  const read = (file: string) => readFile(join(tree, file), 'utf8')
  const edit = async (file: string, from: string, to: string) => {
    const text = await read(file)
    expect(text).toContain(from)
    await writeFile(join(tree, file), text.replace(from, to))
  }
  const served = async () => (await fetch(`${dev.url}/openapi/citizen-app.json`)).text()
  const statusOf = async (path: string) => (await fetch(dev.url + path)).status
  await dev.printed('Open http://localhost')

  expect(await (await fetch(`${dev.url}/`)).text()).toContain('<script src="/dev/reload.js"></script>')
  const versions = (await fetch(`${dev.url}/dev/version`)).body!.values()
  const nextVersion = async () => Buffer.from((await versions.next()).value as Uint8Array).toString()
  const firstVersion = await nextVersion()

  await edit(PATH_FILE, 'summary: Read the preferences', 'summary: Read them')
  await dev.printed('Reloaded after')
  expect(await nextVersion()).not.toBe(firstVersion)
  expect(await served()).toContain('"summary":"Read them"')

  await edit(PATH_FILE, 'schemas/Preferences', 'schemas/Missing')
  expect(await dev.printed(KEPT)).toContain(`${PATH_FILE}:`)
  expect(await served()).toContain('"summary":"Read them"')
  await edit(PATH_FILE, 'schemas/Missing', 'schemas/Preferences')
  expect(await dev.printed('Reloaded after')).toContain('Valid again.')
  await dev.printed('Types: ')

  // A new operation without its file, then without its function, then complete.
  const entry = '  /preferences-again:\n    $ref: paths/read-preferences-again.yaml\n'
  await edit(DOCUMENT, '  /preferences:\n', `${entry}  /preferences:\n`)
  expect(await dev.printed(KEPT)).toContain('read-preferences-again.yaml')
  const [operation] = (await read(PATH_FILE)).split('\nput:')
  await writeFile(join(tree, ADDED), `${operation!.replace('readPreferences', 'readPreferencesAgain')}\n`)
  expect(await dev.printed('It starts again at the next save.')).toContain('readPreferencesAgain')
  expect(await statusOf('/')).toBe(503)
  expect(await dev.printed('Types: ')).toContain(`${OPERATIONS}(`)
  await edit(
    OPERATIONS,
    'readPreferences: citizen(readPreferences),',
    'readPreferences: citizen(readPreferences),\n  readPreferencesAgain: citizen(readPreferences),',
  )
  expect(await dev.printed('Reloaded after')).toContain('Valid again.')
  expect(await statusOf('/citizen/v1/preferences-again')).toBe(401)
  await dev.printed('Reloaded with the new sandbox page.')

  const server = execFileSync('pgrep', ['-P', String(dev.child.pid), '-f', 'apps/server/main.js'])
  process.kill(Number(server), 'SIGKILL')
  await dev.printed('The server ended (SIGKILL). It starts again at the next save.')
  expect(await statusOf('/')).toBe(503)
  await edit(PATH_FILE, 'summary: Read them', 'summary: Read them twice')
  await dev.printed('Reloaded after')
  expect(await served()).toContain('"summary":"Read them twice"')

  // Turborepo checks the types of several packages, each in a process group of its own.
  await expect
    .poll(() => commandsIn(tree), { timeout: 60_000 })
    .toContainEqual(expect.stringMatching(/\btsc\b/))
  // Ctrl+C in a terminal is followed by the signal of npm.
  dev.child.kill('SIGINT')
  dev.child.kill('SIGTERM')
  await vi.waitUntil(() => dev.child.exitCode !== null, { timeout: 60_000 })
  expect([dev.child.exitCode, await commandsIn(tree)]).toEqual([0, []])
})

test('a migration that is created empty, written and renamed is applied to a new database', async () => {
  await using folder = await temporaryFolder()
  const tree = folder.path
  await copySourceTree(tree, TREE)
  await using dev = await startDev(tree, { TIWALA_DOCUMENTS: 'citizen-app' })
  await dev.printed('Open http://localhost')
  const file = (name: string) => join(tree, `apps/server/migrations/${name}.sql`)

  await writeFile(file('9998_added'), '')
  expect(await dev.printed('Reloaded after')).toContain('the sandbox database is new.')
  await writeFile(file('9998_added'), "raise exception 'The migration is applied.';")
  expect(await dev.printed('It starts again at the next save.')).toContain('The migration is applied.')
  await writeFile(file('9998_added'), 'create table added (id int);')
  await dev.printed('Reloaded after')
  await rename(file('9998_added'), file('9999_added'))
  await dev.printed('Reloaded after')
  expect((await fetch(`${dev.url}/healthz`)).status).toBe(200)
})

// In the repository itself: Astro does not serve packages that are links to other folders, as in a copy.
test.each([
  ['guides/errors', 'What you may repeat'],
  ['reference/readPartnerSelf', 'Read your registration'],
])('the documentation renders %s', async (page, text) => {
  await using database = await temporaryDatabase()
  await using dev = await startDev(join(import.meta.dirname, '../../..'), { DATABASE_URL: database.url })
  await dev.printed('Open http://localhost')
  const response = await fetch(`${dev.url}/docs/${page}`)
  expect([response.status, (await response.text()).includes(text)]).toEqual([200, true])
})
