import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, TestRunner } from 'vitest'
import { killGroupWithParent } from '../../src/testing/process-group.ts'
import { freePort } from '../../src/testing/start-service.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** The last line of the sandbox's welcome, or the line in the log of live. */
const READY = /Stop with Ctrl\+C|"msg":"Tiwala is ready"/

/** Processes share one compile cache. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/node', import.meta.url))

/** The bug of `npm run test:guards`, for the processes that a test starts. */
const { NODE_OPTIONS, FAULT } = process.env
export const SEEDED = FAULT ? { NODE_OPTIONS, FAULT } : {}

/**
 * Starts a program, the service of the repository by default, with these settings and no other environment.
 * `nodeOptions` come before the program. The process and its children end with the test at the latest.
 */
export async function startProcess(
  settings: Record<string, string>,
  nodeOptions: string[] = [],
  program = MAIN,
) {
  const port = settings['PORT'] ?? String(await freePort())
  const child = spawn(process.execPath, [...nodeOptions, program], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, PORT: port, ...SEEDED, ...settings },
    detached: true,
  })
  const endGroup = killGroupWithParent(child)
  let [stdout, stderr] = ['', '']
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => void ((stdout += chunk), READY.test(stdout) && resolve()))
    child.stderr.on('data', (chunk) => void (stderr += chunk))
    void exited.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)))
  })
  ready.catch(() => {})
  const sendSignal = (signal: NodeJS.Signals) => child.kill(signal)
  const end = (signal: NodeJS.Signals) => (sendSignal(signal), exited)
  const dispose = async () => {
    endGroup()
    await exited
  }
  // A test that times out does not reach its own cleanup.
  if (TestRunner.getCurrentTest()) onTestFinished(dispose)
  return {
    pid: child.pid!,
    url: `http://localhost:${port}`,
    ready,
    exited,
    sendSignal,
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
  TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR: '1000000',
  TIWALA_WRITES_PER_CITIZEN_AND_MINUTE: '1000000',
  TIWALA_MAX_QUEUED_MS: '10000',
  TIWALA_REQUEST_DEADLINE_MS: '10000',
  TIWALA_DRAIN_MS: '0',
  LOG_LEVEL: 'warn',
}

export async function startReadyProcess(
  settings: Record<string, string>,
  nodeOptions: string[] = [],
  main?: string,
) {
  const server = await startProcess({ ...UNLIMITED, ...settings }, nodeOptions, main)
  await server.ready
  return server
}

/**
 * The error message of a failed start: one line, then one line for each wrong setting. The exit code is 1.
 */
export async function startupErrorOf(settings: Record<string, string>): Promise<string> {
  await using server = await startProcess(settings)
  expect(await server.exited).toBe(1)
  expect(server.stdout()).not.toContain('Tiwala is ready')
  expect(server.stderr()).toMatch(/^Tiwala cannot start: .+\n( {2}[A-Z_]+\b.*: .+\n)*$/)
  return server.stderr()
}
