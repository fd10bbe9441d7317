// `npm run dev`: after each save it checks and generates what follows from the spec, replaces the server
// process, reloads the open pages and checks the types. What does not work leaves the last good version
// running.
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { type DocumentName, routes } from '@tiwala/contract'
import { SPEC } from '@tiwala/contract/bundle'
import { generate } from '@tiwala/contract/generate'
import { readConfig } from '../src/config.ts'
import { createFillValues } from '../src/http/pages/docs-values.ts'
import { freePort } from '../src/testing/free-port.ts'
import { changes } from './changes.ts'
import { checkTypes } from './check-types.ts'
import { createDocsProcess } from './docs-process.ts'
import { createFront } from './front.ts'
import { createLinter } from './linter.ts'
import { print } from './print.ts'
import { createServerProcess } from './server-process.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SOURCES = ['apps/server/src', 'apps/server/pages', 'apps/server/migrations', 'packages/contract/src']
/** What is no source: texts for people, and files that this program generates. */
const IGNORED = /\.md$|[/\\]published[/\\]|generated/

/** The documentation shows the policies of the operations. Its process loads them once. */
const POLICIES = join(ROOT, 'apps/server/src/operations.ts')

const KEPT = 'The last good version keeps running.'

// Before the first process loads a file.
const saves = changes([SPEC, ...SOURCES.map((folder) => join(ROOT, folder))], IGNORED)

const { PORT = '8080', HOST = '127.0.0.1' } = process.env
const backendPort = await freePort()
const env = { TIWALA_PUBLIC_URL: `http://localhost:${PORT}`, ...process.env }
const server = createServerProcess({
  ...env,
  NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
  HOST: '127.0.0.1',
  PORT: String(backendPort),
})
const docs = createDocsProcess()
const linter = createLinter()
const backend = async () => {
  if (await server.isServing()) return backendPort
  throw new Error('The server does not run. The terminal of `npm run dev` says why.')
}
let typeCheck = new AbortController()
const front = createFront(backend, docs.port, createFillValues(readConfig(env)))
front.server.listen(Number(PORT), HOST)
await once(front.server, 'listening')
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    docs.stop()
    linter.stop()
    typeCheck.abort()
    void server.stop().then(() => process.exit())
  })

/** The documents that no server process has compiled yet. */
let changedDocuments = new Set(Object.keys(routes) as DocumentName[])
/** No server process has been started since a source changed. */
let isSourceChanged = false
await regenerate()
await replaceServer()
print(`Open http://localhost:${PORT}/docs. Save a file of spec/ or of the server to see the change.`)
void reportTypes()

for await (const paths of saves) {
  const startedAt = performance.now()
  print(`Changed: ${paths.map((path) => relative(ROOT, path)).join(', ')}`)
  typeCheck.abort()
  if (paths.includes(POLICIES)) docs.stop()
  const isSpecChanged = paths.some((path) => path.startsWith(SPEC))
  if (!paths.every((path) => path.startsWith(SPEC))) {
    isSourceChanged = true
    server.renewSpare()
  }
  const generated = isSpecChanged ? await regenerate() : []
  if (!generated) continue
  if (isSpecChanged) linter.lint()
  // The generator also writes files of the spec, which is a change that generates nothing.
  const isServerChanged = generated.length > 0 || isSourceChanged || !(await server.isServing())
  if (isServerChanged && (await replaceServer())) {
    front.reload()
    print(`Reloaded after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`)
  }
  if (isServerChanged) void reportTypes()
}

/** Returns the names of the changed files, or undefined if the spec is not valid. */
async function regenerate(): Promise<string[] | undefined> {
  try {
    const files = await generate()
    for (const name of Object.keys(routes) as DocumentName[])
      if (files.includes(`${name}.json`)) changedDocuments.add(name)
    return files
  } catch (error) {
    print(`${(error as Error).message}\n${KEPT}`)
    return undefined
  }
}

async function replaceServer(): Promise<boolean> {
  isSourceChanged = false
  const isReplaced = await server.replace([...changedDocuments])
  if (isReplaced) changedDocuments = new Set()
  else print(`The new server did not start. ${(await server.isServing()) ? KEPT : 'No server runs.'}`)
  return isReplaced
}

async function reportTypes(): Promise<void> {
  typeCheck = new AbortController()
  const result = await checkTypes(ROOT, typeCheck.signal)
  if (!result) return
  const { errors, incomplete } = result
  const files = new Set(errors.map((error) => error.split('(')[0]))
  const lines = [...errors, ...incomplete]
  if (errors.length) lines.push(`Types: ${files.size} files do not fit the contract.`)
  if (incomplete.length) lines.push('Types: not all checked. Save a file of the server to check them again.')
  print(lines.length ? lines.join('\n') : 'Types: fine.')
}
