// `npm run dev`: after each save it runs the commands that a person would run (generate, build the sandbox
// page, start the server), reloads the open pages, and checks the spec and the types in the background.
//
// Every command is a new process, so a result never depends on an earlier save. If a command fails, the
// server of the last good version keeps running. If the server itself ends, its address answers 503. The next
// save starts it again.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { watch } from 'chokidar'
import { readConfig } from '../src/config.ts'
import { createFillValues } from '../src/http/pages/docs-values.ts'
import { freePort } from '../src/testing/free-port.ts'
import { createFront } from './front.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DOCS = join(ROOT, 'apps/docs')
const WATCHED = [
  'spec',
  'packages',
  'apps/server',
  'apps/sandbox',
  'apps/workbench',
  'apps/console',
  'apps/docs',
  'package.json',
  'redocly.yaml',
]
/** What the commands below write, and what no program reads. */
const IGNORED =
  /(^|\/)(node_modules|(dist|download)(-[^/.]*)?|generated|test|stress|\.\w[^/]*)(\/|$)|^spec\/(responses|schemas\/(error-code|sso-profile)\.yaml)|^apps\/server\/\w+\.md$/
const POLL_MS = 20
/** Editors write several files at once, or one file in several steps. */
const SETTLE_MS = 50
const MAX_STOP_MS = 3_000
const MAX_RUN_MS = 60_000
/** Ends the server with this process, however this process ends. */
const END_WITH_PARENT = `data:text/javascript,process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))`

const { PORT = '8080', HOST = '127.0.0.1' } = process.env
/** Node finds compiled code there by the content of a file. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node')
const env = { TIWALA_PUBLIC_URL: `http://localhost:${PORT}`, ...process.env, NODE_COMPILE_CACHE }
const print = (text: string) => console.log(text.trim().replaceAll(/^/gm, 'dev: '))
const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/**
 * Runs a command with the processes that it starts, at most until `signal`. SIGTERM, because Turborepo runs
 * each task in a process group of its own, and ends these groups before itself.
 */
async function run(command: string, args: string[], cwd = ROOT, signal = AbortSignal.timeout(MAX_RUN_MS)) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void (output += chunk))
  const kill = () => void (hasEnded(child) || process.kill(-child.pid!, 'SIGTERM'))
  signal.addEventListener('abort', kill)
  process.once('exit', kill)
  await once(child, 'close')
  process.off('exit', kill)
  signal.removeEventListener('abort', kill)
  return { isOk: child.exitCode === 0, output: output.trim() || `${args.join(' ')} failed.` }
}
const runNode = (folder: string, file: string) => run(process.execPath, [file], join(ROOT, folder))
const runBuild = (name: string) => run('npm', ['run', '--silent', 'build', '--workspace', name])

let server: ChildProcess | undefined
const port = await freePort()
let serving = Promise.resolve(false)

/** One server at a time, because the embedded database is used by one process. */
async function restartServer(): Promise<boolean> {
  await stopServer()
  if (unbuilt.some((path) => /^apps\/server\/migrations\/.+\.sql$/.test(path))) await renewDatabase()
  const child = fork(join(ROOT, 'apps/server/main.js'), {
    env: { ...env, HOST: '127.0.0.1', PORT: String(port) },
    execArgv: ['--import', END_WITH_PARENT],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  server = child
  // The log, without the addresses that a start prints.
  createInterface({ input: child.stdout! }).on('line', (line) => line.startsWith('{') && console.log(line))
  child.once('exit', (code, signal) => {
    if (server !== child) return
    serving = Promise.resolve(false)
    print(`The server ended (${signal ?? `exit code ${code}`}). It starts again at the next save.`)
  })
  for (const endsAtMs = performance.now() + MAX_RUN_MS; performance.now() < endsAtMs && !hasEnded(child);) {
    const health = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (health?.ok) return true
    await sleep(POLL_MS)
  }
  child.kill('SIGKILL')
  return false
}

/** A database applies a migration once. It would ignore the text of a file that was created empty. */
async function renewDatabase(): Promise<void> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl) return print('A migration changed: if it was applied before, use an empty database.')
  await rm(join(dataDir, 'database'), { recursive: true, force: true })
  print('A migration changed: the sandbox database is new.')
}

async function stopServer(): Promise<void> {
  const child = server
  server = undefined
  if (!child || hasEnded(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  await Promise.race([exited, sleep(MAX_STOP_MS)])
  child.kill('SIGKILL')
  await exited
}

/** Astro renders a page when it is opened. It starts for the first page, and again after a change of a program. */
let docs: ChildProcess | undefined
let docsPort: Promise<number> | undefined
async function startDocs(): Promise<number> {
  const free = await freePort()
  const astro = dirname(createRequire(join(DOCS, 'package.json')).resolve('astro/package.json'))
  const args = [join(astro, 'bin/astro.mjs'), 'dev', '--port', String(free), '--ignore-lock']
  const options = { cwd: DOCS, env: { ...env, ASTRO_TELEMETRY_DISABLED: '1' } }
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  docs = child
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk)
      // The page itself says no more than "Error".
      if (String(chunk).includes('[ERROR]')) process.stderr.write(chunk)
    })
  child.once('exit', () => child === docs && stopDocs())
  while (!hasEnded(child)) {
    if (output.includes('ready in')) return free
    await sleep(POLL_MS)
  }
  throw new Error(`The documentation does not start. It is tried again with the next page.\n${output}`)
}
function stopDocs(): void {
  docs?.kill()
  docs = docsPort = undefined
}

const config = readConfig(env)
const front = createFront(
  async () => {
    if (await serving) return port
    throw new Error('The server does not run. The terminal of `npm run dev` says why.')
  },
  () => (docsPort ??= startDocs()),
  createFillValues(config, config.listeners[0]!),
)

/** Returns what the first command that fails prints. */
async function runAll(commands: (() => ReturnType<typeof run>)[]): Promise<string | undefined> {
  for (const command of commands) {
    const { isOk, output } = await command()
    if (!isOk) return output
  }
  return undefined
}
/** `npm run generate`, without its cache */
const GENERATE = [
  () => runNode('packages/contract', 'generate.ts'),
  () => runNode('apps/server', 'generate-settings.ts'),
]
const PAGES = ['sandbox', 'workbench', 'console']
/** The pages contain the client or its transport, and these contain the paths of the spec. */
const BUILD_PAGE = ['client', ...PAGES].map((name) => () => runBuild(`@tiwala/${name}`))
const isOfPage = (path: string) =>
  /^(apps\/(sandbox|workbench|console)|packages|apps\/server\/src\/sandbox)\//.test(path)
const readPage = async () =>
  (
    await Promise.all(
      PAGES.map((name) => readFile(join(ROOT, `apps/${name}/dist/index.html`), 'utf8').catch(() => '')),
    )
  ).join()

let isBroken = false
/** What was saved since the last version that serves. */
const unbuilt: string[] = []
/** Returns what was saved since the last version, or undefined if the server does not serve it. */
async function update(paths: string[]): Promise<string[] | undefined> {
  unbuilt.push(...paths)
  const problem = await runAll([...GENERATE, ...(unbuilt.some(isOfPage) ? BUILD_PAGE : [])])
  if (problem === undefined) serving = restartServer()
  const isServing = problem === undefined && (await serving)
  if (problem !== undefined)
    print(`${problem}\n${(await serving) ? 'The last good version keeps running.' : 'No server runs.'}`)
  else if (isServing && isBroken) print('Valid again.')
  isBroken = !isServing
  return isServing ? unbuilt.splice(0) : undefined
}

/** After a save of the spec, which changes the page only sometimes. The document does not wait for it. */
async function updatePage(): Promise<void> {
  const before = await readPage()
  const problem = await runAll(BUILD_PAGE)
  if (problem !== undefined) unbuilt.push('apps/sandbox/')
  if (problem !== undefined) return print(problem)
  if ((await readPage()) === before) return
  serving = restartServer()
  if (!(await serving)) return
  front.reload()
  print('Reloaded with the new sandbox page.')
}

/** `--only`: without builds, which the next save could interrupt. `transit`: a package depends on its packages' sources. */
const TYPES = ['turbo', 'run', 'types', 'transit', '--only', '--continue', '--output-logs=errors-only']
const TYPE_ERROR = /^@tiwala\/([\w-]+):types: (\S+?)(\(.* error TS.*)$/gm
/** The errors of all packages, each once, with the path from the root. */
const typeErrorsIn = (output: string): string[] => [
  ...new Set(
    [...output.matchAll(TYPE_ERROR)].map(([, name, path, text]) => {
      const folder = ['apps', 'packages'].map((parent) => join(ROOT, parent, name!)).find(existsSync) ?? ROOT
      return relative(ROOT, resolve(folder, path!)) + text
    }),
  ),
]

async function check(signal: AbortSignal): Promise<void> {
  const lint = await run('npm', ['run', '--silent', 'spec:lint'], ROOT, signal)
  if (signal.aborted) return
  if (!lint.isOk) print(lint.output)
  const types = await run('npx', TYPES, ROOT, signal)
  if (signal.aborted) return
  const errors = typeErrorsIn(types.output)
  print(types.isOk ? 'Types: fine.' : `${errors.join('\n') || types.output}\nTypes: ${errors.length} errors.`)
}

const changed = new Set<string>()
const ignored = (path: string) => IGNORED.test(relative(ROOT, resolve(ROOT, path)))
const watcher = watch(WATCHED, { cwd: ROOT, ignoreInitial: true, ignored })
watcher.on('all', (_event, path) => void changed.add(path))
await once(watcher, 'ready')
front.server.listen(Number(PORT), HOST)
await once(front.server, 'listening')
let checking = new AbortController()
let checked: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    checking.abort()
    stopDocs()
    void Promise.all([stopServer(), checked]).then(() => process.exit())
  })
if (await update([])) print(`Open http://localhost:${PORT}/docs. Save a file to see the change.`)
for (;;) {
  checked = check(checking.signal)
  for (let seen = -1; changed.size === 0 || changed.size !== seen; await sleep(SETTLE_MS)) seen = changed.size
  const [paths, startedAtMs] = [[...changed], performance.now()]
  changed.clear()
  checking.abort()
  checking = new AbortController()
  print(`Changed: ${paths.join(', ')}`)
  if (!paths.every((path) => /^(spec|apps\/docs\/src)\//.test(path))) stopDocs()
  const built = paths.every((path) => path.startsWith('apps/docs/')) ? undefined : await update(paths)
  if (!built) continue
  front.reload()
  print(`Reloaded after ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s.`)
  if (built.some((path) => path.startsWith('spec/')) && !built.some(isOfPage)) await updatePage()
}
