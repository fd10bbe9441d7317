import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { freePort } from '../src/testing/free-port.ts'
import { endOf } from './ended.ts'
import { print } from './print.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const READY = 'ready in'

/**
 * Astro's own development server for the documentation, started when a page of it is opened. It renders a
 * page at each request, and reloads an open page after a change of the spec or of a guide.
 */
export function createDocsProcess() {
  let child: ChildProcess | undefined
  let port: Promise<number> | undefined
  /** The processes whose end is wanted. */
  const stopped = new WeakSet<ChildProcess>()

  async function start(): Promise<number> {
    const freed = await freePort()
    const astro = dirname(createRequire(join(DOCS, 'package.json')).resolve('astro/package.json'))
    const args = [join(astro, 'bin/astro.mjs'), 'dev', '--port', String(freed), '--ignore-lock']
    const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' }
    const started = spawn(process.execPath, args, { cwd: DOCS, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    let output = ''
    return new Promise((resolve, reject) => {
      started.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes(READY)) resolve(freed)
      })
      started.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()))
      started.once('error', reject)
      started.once('exit', () => {
        port = undefined
        if (!stopped.has(started))
          print(`The documentation ended (${endOf(started)}). It starts again when you open a page of it.`)
        reject(new Error(`The documentation does not start.\n${output}`))
      })
    })
  }

  /** The next page starts it again, with the present policies of the server. */
  const stop = () => {
    if (child) stopped.add(child)
    child?.kill()
  }
  return { port: () => (port ??= start()), stop }
}
