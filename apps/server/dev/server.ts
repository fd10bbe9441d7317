// The server as a process of `npm run dev`. It loads its modules and waits until it is needed. Then it reads
// the generated files and compiles the documents that have changed. Only after that the process before it
// ends, because one process at a time can open the embedded database.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { PGliteOptions } from '@electric-sql/pglite'
import type { DocumentName } from '@tiwala/contract'
import { middleware } from 'express-openapi-validator'
import { readGenerated } from './load-ahead.ts'

// Ctrl+C reaches this process, too. It ends when the parent process disconnects, however the parent has
// ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const disconnected = once(process, 'disconnect')
/** The next message of the parent process. */
async function received<Message>(): Promise<Message> {
  const [message] = (await Promise.race([once(process, 'message'), disconnected])) as [Message]
  if (!process.connected) process.exit()
  return message
}

/** `@types/node` lacks it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> }

/** The embedded database opens in two thirds of the time if its program is compiled. */
async function compileDatabase(): Promise<PGliteOptions> {
  const program = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  return { pgliteWasmModule: await WebAssembly.compile(await readFile(program)) }
}

try {
  const changed = received<DocumentName[]>()
  const modules = Promise.all([
    import('../src/config.ts'),
    import('../src/contract/documents.ts'),
    import('../src/database/embedded.ts'),
    import('../src/http/pipeline/log.ts'),
    import('../src/http/pipeline/warm-up.ts'),
    import('../src/start.ts'),
  ])
  // If the source has a mistake, the author reads of it once, when the process is needed.
  modules.catch(() => {})
  const database = compileDatabase()
  // V8 compiles a function at its first call: most functions of the validator are called here.
  middleware({ apiSpec: { openapi: '3.0.0', info: { title: '', version: '' }, paths: {} } })
  const isChanged = new Set(await changed)
  readGenerated()
  const [{ readConfig }, { documents }, { connectEmbedded }, { createLog }, { contractOf }, { start }] =
    await modules
  const config = readConfig(process.env)
  for (const name of config.listeners.flatMap((listener) => listener.documents)) {
    const schemes = Object.keys(documents[name].components.securitySchemes)
    await contractOf(name, schemes, { isWarm: isChanged.has(name) })
  }
  process.send!('compiled')
  await received()
  const connect = async () => connectEmbedded(config.dataDir, await database)
  const running = await start(config, createLog(config.logLevel), config.databaseUrl ? undefined : connect)
  process.send!('ready')
  await Promise.race([once(process, 'message'), disconnected])
  await running.close()
  // The next process takes over now. It takes the operating system a moment to end this one.
  if (process.connected) await new Promise((resolve) => process.send!('closed', resolve))
} catch (error) {
  const { message, cause } = error as Error
  console.error(cause instanceof Error ? `${message} (${cause.message})` : message)
  process.exitCode = 1
}
process.exit()
