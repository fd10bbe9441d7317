// Sees every statement that the service sends, in the process that loads this module and in its children. It
// records which test file executes which statement, and replaces one statement by its mutant. It can also
// replace a part of one source file when Node loads it, and put the mutants of the code into the files that
// guard (`code.ts`). The service does not know of it.
import childProcess from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { type CompiledQuery, type QueryExecutorProvider, sql } from 'kysely'
import { isGuarded, mutate } from './code.ts'
import { HOOK_VARIABLE, isOfCode } from './places.ts'

/**
 * A statement of the service, and a test that has executed it. An empty `test`: outside of any test, so each
 * test of the file may depend on it.
 */
export type Execution = { testFile: string; test: string; site: string; text: string }

/**
 * `parameters`: for each parameter of the mutant, its position in the original, from 1. A mutant of the
 * schema has `schema`, DDL that runs each time before `text` is executed.
 */
export type Replacement = { text: string; mutant: string; parameters: number[]; schema?: string }

/** A bug in a source file: `replacement` instead of `original`, which occurs once. */
export type Bug = { file: string; original: string; replacement: string }

/** What this process does. Children get it in an environment variable. */
export type HookState = {
  testFile: string
  test: string
  recordFile?: string
  replacement?: Replacement
  source?: Bug
  /** The active mutant of the code. */
  code?: string
}

const PRELOAD = `--import=${import.meta.url.replace(/\?.*/, '')}`
const SERVER = '/apps/server/src/'

let state: HookState | undefined = process.env[HOOK_VARIABLE]
  ? JSON.parse(process.env[HOOK_VARIABLE])
  : undefined
let seen = new Set<string>()

export function setHookState(next: HookState | undefined): void {
  // Each test executes hundreds of the mutants of the code, so they are recorded once for each test file.
  if (!isOfCode || next?.testFile !== state?.testFile) seen = new Set()
  state = next
  process.env[HOOK_VARIABLE] = next ? JSON.stringify(next) : ''
}

/** `sso/store.ts:96`: the line of the service that executes the statement. */
function siteOf(stack: string): string | undefined {
  const line = stack.split('\n').find((each) => each.includes(SERVER) && !each.includes(`${SERVER}testing/`))
  return line && /\/apps\/server\/src\/([^?]+?\.ts:\d+)/.exec(line)?.[1]
}

function record(text: string): void {
  if (!state?.recordFile || seen.has(text)) return
  seen.add(text)
  const site = isOfCode ? text : siteOf(new Error('where').stack!)
  if (!site) return
  const { testFile, test } = state
  const execution: Execution = { testFile, test: isOfCode ? '' : test, site, text }
  appendFileSync(state.recordFile, `${JSON.stringify(execution)}\n`)
}

function replace(compiled: CompiledQuery): CompiledQuery {
  const replacement = state?.replacement
  if (replacement?.text !== compiled.sql || replacement.schema !== undefined) return compiled
  const parameters = replacement.parameters.map((position) => compiled.parameters[position - 1])
  return { ...compiled, sql: replacement.mutant, parameters }
}

const decode = (source: string | NodeJS.ArrayBufferView | ArrayBuffer | undefined) =>
  typeof source === 'string' ? source : new TextDecoder().decode(source)

function replaceSource({ file, original, replacement }: Bug): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/${file}`)) return loaded
      const source = decode(loaded.source)
      // A function, since `$` has a meaning in a text.
      return { ...loaded, source: source.replace(original, () => replacement) }
    },
  })
}
if (state?.source) replaceSource(state.source)

declare global {
  /** Whether this mutant of the code is active. The mutated files call it. */
  var isMutant: (id: string) => boolean
}
globalThis.isMutant = (id) => {
  record(id)
  return state?.code === id
}
if (isOfCode)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const [, file = ''] = /\/apps\/server\/src\/([^?]+)/.exec(url) ?? []
      return isGuarded(file) ? { ...loaded, source: mutate(file, decode(loaded.source)).text } : loaded
    },
  })

type Builder = {
  compile(provider: QueryExecutorProvider): CompiledQuery
  execute(provider: QueryExecutorProvider, options?: object): Promise<unknown>
}

Error.stackTraceLimit = 30
const builder = Object.getPrototypeOf(sql`select`) as Builder
builder.execute = async function execute(this: Builder, provider, options) {
  const compiled = this.compile(provider)
  if (!isOfCode) record(compiled.sql)
  const executor = provider.getExecutor()
  const { schema, text } = state?.replacement ?? {}
  if (schema !== undefined && text === compiled.sql)
    await executor.executeQuery({ ...compiled, sql: schema, parameters: [] })
  return executor.executeQuery(replace(compiled), options)
}

/** Some tests start the service with an environment of their own. */
type SpawnOptions = { env?: NodeJS.ProcessEnv }
const spawn = childProcess.spawn as (command: string, args: string[], options?: SpawnOptions) => unknown
const spawnWithHook: typeof spawn = (command, args, options = {}) => {
  const env = options.env ?? process.env
  const hooked = {
    ...env,
    [HOOK_VARIABLE]: process.env[HOOK_VARIABLE],
    NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} ${PRELOAD}`,
  }
  return spawn(command, args, command === process.execPath && state ? { ...options, env: hooked } : options)
}
Object.assign(childProcess, { spawn: spawnWithHook })
syncBuiltinESMExports()
