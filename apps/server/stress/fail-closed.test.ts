// SECURITY section 3: each handler and validator is taken out of a server, which is then started over the data of a sound one.
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startService, type TestService } from '../src/testing/start-service.ts'
import { meet } from '../test/kit/api-client.ts'
import { all, FOUR, NO_RETRIES, prepareCanary, present } from '../test/kit/disclosing-requests.ts'
import { startProcess, startReadyProcess } from '../test/kit/server-process.ts'
import { addressOf } from './database-url.ts'
import { REFUSED_CALLS, REFUSED_STARTS } from './faults.ts'
import type { Sabotage } from './inject-fault.ts'

const PRELOAD = pathToFileURL(`${import.meta.dirname}/inject-fault.ts`).href

let sound: TestService
let canary: Awaited<ReturnType<typeof prepareCanary>>
let shared: Record<string, string>
beforeAll(async () => {
  sound = await startService(inject('postgres'), NO_RETRIES)
  canary = await prepareCanary(sound)
  shared = { ...NO_RETRIES, DATABASE_URL: await addressOf(sound), TIWALA_DATA_DIR: sound.config.dataDir }
})
afterAll(() => sound.close())

const sabotaged = ({ file, from, to }: Sabotage) => ({
  ...shared,
  NODE_OPTIONS: `--import=${PRELOAD}`,
  SABOTAGE: JSON.stringify({ file, from, to }),
})

/** What is said by a start that must fail: it must not end in a server that is ready. */
async function wordsOfRefusal(settings: Record<string, string>): Promise<string[]> {
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

test('control: a server that lacks nothing gives everything', async () => {
  await using server = await startReadyProcess({ ...shared, NODE_OPTIONS: `--import=${PRELOAD}` })
  const names = [...FOUR, 'listDisclosures', 'listPartners'] as const
  expect(await present(await meet(server.url), await canary.prepare(), names)).toEqual(all('right', names))
})

test('control: a part that is not there to be taken out fails the drill', async () => {
  const words = await wordsOfRefusal(sabotaged({ file: 'app.ts', from: 'no such text', to: '' }))
  expect(words.join()).toContain('SABOTAGE: the text stands 0 times in app.ts')
})

const named = <Drill extends { what: string }>(drills: Drill[]) => drills.map((drill) => [drill.what, drill] as const)

test.each(named(REFUSED_STARTS))('%s: it does not start, and one line says why', async (_what, drill) => {
  const words = await wordsOfRefusal(sabotaged(drill))
  expect(words).toEqual([`sabotaged ${drill.file}`, expect.stringMatching(/^Tiwala cannot start: /)])
  expect(words[1]).toContain(drill.refusal)
})

test.each(named(REFUSED_CALLS))('%s: it gives nothing away, and nothing is used up', async (_what, drill) => {
  const prepared = await canary.prepare()
  await using server = await startReadyProcess(sabotaged(drill))
  expect(server.stderr()).toContain(`sabotaged ${drill.file}`)
  expect(await present(await meet(server.url), prepared, drill.refuses)).toEqual(all('refused', drill.refuses))
  expect(await present(canary.people, prepared, drill.refuses)).toEqual(all('right', drill.refuses))
})
