// Each security handler and validator is removed from a server, which then starts over the data of a healthy
// server.
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createApiClient } from '../test/kit/api-client.ts'
import { settingsOf } from '../test/kit/database-url.ts'
import {
  expectAll,
  PROFILE_OPERATIONS,
  NO_RETRIES,
  sendPrepared,
  startServiceWithCanary,
} from '../test/kit/disclosing-requests.ts'
import { liveOn } from '../test/kit/live-settings.ts'
import { startProcess, startReadyProcess } from '../test/kit/server-process.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { REFUSED_REQUESTS, REFUSED_STARTS } from './faults.ts'
import type { Fault } from './inject-fault.ts'

const PRELOAD = pathToFileURL(`${import.meta.dirname}/inject-fault.ts`).href

const { service: healthy, canary } = await startServiceWithCanary()
const shared = { ...NO_RETRIES, ...(await settingsOf(healthy)) }

const withFault = ({ file, from, to }: Fault, settings: Record<string, string> = shared) => ({
  ...settings,
  NODE_OPTIONS: `--import=${PRELOAD}`,
  FAULT: JSON.stringify({ file, from, to }),
})

/** Starts a server that must not become ready. Returns the lines of its error output. */
async function startupErrorLines(settings: Record<string, string>): Promise<string[]> {
  await using server = await startProcess(settings)
  const code = await Promise.race([
    server.exited,
    server.ready.then(
      () => 'ready',
      () => server.exited,
    ),
  ])
  expect(code).toBe(1)
  return server.stderr().trim().split('\n')
}

test('200: control: a server without a fault responds to every request', async () => {
  await using server = await startReadyProcess({ ...shared, NODE_OPTIONS: `--import=${PRELOAD}` })
  const names = [...PROFILE_OPERATIONS, 'listDisclosures', 'listPartners'] as const
  expect(await sendPrepared(await createApiClient(server.url), await canary.prepare(), names)).toEqual(
    expectAll('right', names),
  )
})

test('control: a fault whose text is not found stops the test', async () => {
  const lines = await startupErrorLines(withFault({ file: 'app.ts', from: 'no such text', to: '' }))
  expect(lines.join()).toContain('FAULT: found the text 0 times in app.ts')
})

const byName = <Case extends { what: string }>(cases: Case[]) =>
  cases.map((fault) => [fault.what, fault] as const)

test.each(byName(REFUSED_STARTS))(
  '%s: the server does not start, and one line says why',
  async (_what, fault) => {
    await using database = fault.isOnlyLive ? await temporaryDatabase() : undefined
    const lines = await startupErrorLines(withFault(fault, database && liveOn(database.url)))
    expect(lines).toEqual([
      `fault injected in ${fault.file}`,
      expect.stringMatching(/^Tiwala cannot start: /),
    ])
    expect(lines[1]).toContain(fault.refusal)
  },
)

test.each(byName(REFUSED_REQUESTS))(
  '%s: the server discloses nothing, and nothing is used up',
  async (_what, fault) => {
    const prepared = await canary.prepare()
    await using server = await startReadyProcess(withFault(fault))
    expect(server.stderr()).toContain(`fault injected in ${fault.file}`)
    expect(await sendPrepared(await createApiClient(server.url), prepared, fault.refuses)).toEqual(
      expectAll('refused', fault.refuses),
    )
    expect(await sendPrepared(canary.api, prepared, fault.refuses)).toEqual(expectAll('right', fault.refuses))
  },
)
