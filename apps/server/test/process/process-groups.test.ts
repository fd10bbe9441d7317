// No process outlives the test that started it. stress/killed-run.test.ts kills the whole test run.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { listGroupMembers } from '../kit/process-table.ts'
import { startProcess } from '../kit/server-process.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

const POLLING = { timeout: 60_000, interval: 50 }
/** A program and its child, neither of which ends by itself. */
const PROGRAM = `if (!process.argv[2]) require('node:child_process').fork(__filename, ['child'])
setInterval(() => {}, 1_000)`

test('at the end of a test, its program ends with every process that the program started', async () => {
  await using folder = await temporaryFolder()
  const program = join(folder.path, 'program.cjs')
  await writeFile(program, PROGRAM)
  const server = await startProcess({}, [], program)
  await vi.waitUntil(async () => (await listGroupMembers(server.pid)).length === 2, POLLING)
  // A stopped child does not notice that its parent has ended.
  for (const pid of await listGroupMembers(server.pid)) if (pid !== server.pid) process.kill(pid, 'SIGSTOP')
  await server[Symbol.asyncDispose]()
  // A killed process is listed for a moment after its pipes have closed.
  await expect.poll(() => listGroupMembers(server.pid)).toEqual([])
})
