// No process outlives the test that started it. stress/killed-run.test.ts kills the whole test run.
import { expect, test, vi } from 'vitest'
import { listGroupMembers } from '../kit/process-table.ts'
import { startProcess } from '../kit/server-process.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

const POLLING = { timeout: 60_000, interval: 50 }
const PROCESSES = 2
/** The primary and its workers. */
const GROUP_SIZE = 1 + PROCESSES

test('at the end of a test, its server ends with every process that the server started', async () => {
  await using database = await temporaryDatabase()
  const settings = {
    ...database.settings,
    TIWALA_PROCESSES: String(PROCESSES),
    TIWALA_DOCUMENTS: 'citizen-app',
  }
  const server = await startProcess(settings)
  await vi.waitUntil(async () => (await listGroupMembers(server.pid)).length === GROUP_SIZE, POLLING)
  // A stopped worker does not notice that the primary has ended.
  for (const pid of await listGroupMembers(server.pid)) if (pid !== server.pid) process.kill(pid, 'SIGSTOP')
  await server[Symbol.asyncDispose]()
  expect(await listGroupMembers(server.pid)).toEqual([])
})
