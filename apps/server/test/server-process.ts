import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, TestRunner } from 'vitest'
import { startOwnGroup } from '../src/testing/process-group.ts'
import { freePort } from '../src/testing/start-service.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** What one process has compiled, the next need not. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'tiwala-compile-cache')

/**
 * `npm start`, as a process of its own that sees these settings and no others. `nodeOptions` come before the program. It ends with its
 * test at the latest, and so does every process that it has started.
 */
export async function startProcess(settings: Record<string, string>, nodeOptions: string[] = []) {
  const port = settings['PORT'] ?? String(await freePort())
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, PORT: port, ...settings },
    detached: true,
  })
  const endGroup = startOwnGroup(child)
  let [stdout, stderr] = ['', '']
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => void ((stdout += chunk), stdout.includes('Stop with Ctrl+C') && resolve()))
    child.stderr.on('data', (chunk) => void (stderr += chunk))
    void exited.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)))
  })
  ready.catch(() => {})
  const tell = (signal: NodeJS.Signals) => child.kill(signal)
  const end = (signal: NodeJS.Signals) => (tell(signal), exited)
  const dispose = async () => {
    endGroup()
    await exited
  }
  // A test that times out does not reach its own end.
  if (TestRunner.getCurrentTest()) onTestFinished(dispose)
  return {
    pid: child.pid!,
    url: `http://localhost:${port}`,
    ready,
    exited,
    tell,
    end,
    stdout: () => stdout,
    stderr: () => stderr,
    [Symbol.asyncDispose]: dispose,
  }
}

const UNLIMITED = {
  TIWALA_REQUESTS_PER_MINUTE: '1000000',
  TIWALA_WAITS_PER_PARTNER: '1000000',
  TIWALA_WAITS_PER_RECORD: '1000000',
  TIWALA_POLL_INTERVAL_SECONDS: '0',
  TIWALA_PENDING_PER_CITIZEN: '1000000',
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: '1000000',
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: '1000000',
  TIWALA_LONGEST_QUEUED_MS: '10000',
  TIWALA_ANSWER_WITHIN_MS: '10000',
  TIWALA_DRAIN_MS: '0',
  LOG_LEVEL: 'warn',
}

export async function startReadyProcess(settings: Record<string, string>, nodeOptions: string[] = []) {
  const server = await startProcess({ ...UNLIMITED, ...settings }, nodeOptions)
  await server.ready
  return server
}

/** What a start that fails says: one line, which several wrong settings follow, each on its own. It ends with 1. */
export async function complaintOf(settings: Record<string, string>): Promise<string> {
  await using one = await startProcess(settings)
  expect(await one.exited).toBe(1)
  expect(one.stdout()).not.toContain('Tiwala is ready')
  expect(one.stderr()).toMatch(/^Tiwala cannot start: .+\n( {2}[A-Z_]+\b.*: .+\n)*$/)
  return one.stderr()
}

/** The processes that have become ready, as the first of several logs it. */
export const readyPids = (stdout: string): number[] =>
  [...stdout.matchAll(/"pid":(\d+),"msg":"worker is ready"/g)].map(([, pid]) => Number(pid))

/** Whether there is such a process. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
