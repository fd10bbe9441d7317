// `npm start` loads this file before the server. It builds the documentation in a child process, if it is not
// built from the present files, so that the server answers at once.
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { readConfig } from '@tiwala/server/config'
import { isCurrent } from './build-site.ts'

// Worker threads of the server load this file, too.
if (isMainThread) {
  const stale = docsNames().filter((name) => !isCurrent(name))
  if (stale.length) buildBeside(stale)
}

function docsNames(): string[] {
  try {
    return readConfig(process.env).listeners.map(({ docs }) => docs)
  } catch {
    // The server says what is wrong with the settings.
    return []
  }
}

function buildBeside(names: string[]): void {
  const startedAt = performance.now()
  console.log('Building the documentation while the server starts. The first time takes about 20 seconds.')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'build.ts'), ...names], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // The server comes first.
  setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL)
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const kill = () => child.kill()
  process.once('exit', kill)
  child.once('exit', (code) => {
    process.off('exit', kill)
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    if (code === 0) console.log(`The documentation is ready after ${seconds} seconds.`)
    else console.error(`The documentation could not be built.\n${Buffer.concat(output).toString()}`)
  })
}
