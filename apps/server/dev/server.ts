// The server as a process of `npm run dev`. Its arguments are the documents that have changed: it compiles them first.
// Only then the process before it ends, because one process at a time can open the embedded database.
import { once } from 'node:events'
import { readConfig } from '../src/config.ts'
import { documents } from '../src/contract/documents.ts'
import { createLog } from '../src/http/log.ts'
import { contractOf } from '../src/http/warm-up.ts'
import { start } from '../src/start.ts'

// Ctrl+C reaches this process, too. It ends when the parent process disconnects, however the parent has ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const disconnected = once(process, 'disconnect')

try {
  const config = readConfig(process.env)
  for (const name of config.listeners.flatMap((listener) => listener.documents))
    await contractOf(name, Object.keys(documents[name].components.securitySchemes), {
      isWarm: process.argv.includes(name),
    })
  process.send!('compiled')
  await Promise.race([once(process, 'message'), disconnected])
  if (!process.connected) process.exit()
  const running = await start(config, createLog(config.logLevel))
  process.send!('ready')
  await disconnected
  await running.close()
} catch (error) {
  const { message, cause } = error as Error
  console.error(cause instanceof Error ? `${message} (${cause.message})` : message)
  process.exitCode = 1
}
process.exit()
