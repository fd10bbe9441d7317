// The server as a process of `npm run dev`. It loads the libraries and waits until it is needed. Then it
// compiles the documents that have changed. Only after that the process before it ends, because one process
// at a time can open the embedded database.
import { once } from 'node:events'
import type { DocumentName } from '@tiwala/contract'

/** What takes the longest to load. Our own files may change before the process is needed. */
const LIBRARIES = [
  'express',
  'express-openapi-validator',
  '@electric-sql/pglite',
  'kysely',
  'pg',
  'pg-boss',
  'jose',
]

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

try {
  const changed = received<DocumentName[]>()
  await Promise.all(LIBRARIES.map((name) => import(name)))
  const isChanged = new Set(await changed)
  const { readConfig } = await import('../src/config.ts')
  const { documents } = await import('../src/contract/documents.ts')
  const { createLog } = await import('../src/http/log.ts')
  const { contractOf } = await import('../src/http/warm-up.ts')
  const { start } = await import('../src/start.ts')
  const config = readConfig(process.env)
  for (const name of config.listeners.flatMap((listener) => listener.documents)) {
    const schemes = Object.keys(documents[name].components.securitySchemes)
    await contractOf(name, schemes, { isWarm: isChanged.has(name) })
  }
  process.send!('compiled')
  await received()
  const running = await start(config, createLog(config.logLevel))
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
