// A backup is restored. It shows every value that was used after the backup as unused.
import { mapConcurrently } from '@tiwala/kit/map-concurrently'
import { expect, inject, test } from 'vitest'
import { createApiClient, type ApiClient, refusalOf } from '../test/kit/api-client.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'
import { type Kind, SINGLE_USE_KINDS } from '../test/kit/single-use-kinds.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { backUp, restore } from './backup.ts'
import { UNBOUNDED } from './servers.ts'

const VALUES_PER_KIND = 250
const UNUSED_PER_KIND = 25
const CONTROLS_PER_KIND = 3
type SingleUseValue = { kind: Kind; value: string }

const mint = (api: ApiClient, countPerKind: number): Promise<SingleUseValue[]> =>
  mapConcurrently(
    SINGLE_USE_KINDS.flatMap((kind) => Array.from({ length: countPerKind }, () => kind)),
    async (kind) => ({ kind, value: await kind.mint(api) }),
  )

const use = (api: ApiClient, values: SingleUseValue[]) =>
  mapConcurrently(values, async ({ kind, value }) => (await kind.use(api, value)).status)

/** The values that are not refused with the documented error. */
const useAgain = async (api: ApiClient, values: SingleUseValue[]) =>
  (
    await mapConcurrently(values, async ({ kind, value }) => ({
      expected: kind.refusal,
      actual: await outcomeOf(kind.use(api, value)),
    }))
  ).filter(({ expected, actual }) => actual !== expected)

async function outcomeOf(pendingResponse: Promise<Response>): Promise<string> {
  const response = await pendingResponse
  return response.ok ? `${response.status} accepted` : refusalOf(response)
}

const only = (status: number, count: number) => Array<number>(count).fill(status)

test('401, 422: after a completed restore no used value works again, in any process', async () => {
  await using database = await temporaryDatabase()
  const settings = { ...UNBOUNDED, ...database.settings }

  await using first = await startReadyProcess(settings)
  const before = await createApiClient(first.url)
  const [used, controls, unused] = [
    await mint(before, VALUES_PER_KIND),
    await mint(before, CONTROLS_PER_KIND),
    await mint(before, UNUSED_PER_KIND),
  ]
  const pending = await before.createPendingRecord()
  await first.end('SIGTERM')
  await using backup = await backUp(inject('postgres').url, database.url)

  await using second = await startReadyProcess(settings)
  const between = await createApiClient(second.url)
  expect(await use(between, [...used, ...controls])).toEqual(only(200, used.length + controls.length))
  await second.end('SIGTERM')
  await restore(backup)

  await using third = await startReadyProcess(settings)
  await using other = await startReadyProcess(settings)
  const [here, there] = [await createApiClient(third.url), await createApiClient(other.url)]
  // Control: before the restore is completed, used values work a second time.
  expect(await use(here, controls)).toEqual(only(200, controls.length))
  const completed = await here.send('completeRestore', { headers: here.asOperator })
  expect([completed.status, await completed.json()]).toEqual([200, { epoch: 2 }])

  const [even, odd] = [0, 1].map((rest) => used.filter((_, index) => index % 2 === rest)) as [
    SingleUseValue[],
    SingleUseValue[],
  ]
  expect([even.length + odd.length, await useAgain(there, even), await useAgain(here, odd)]).toEqual([
    1_000,
    [],
    [],
  ])
  expect(await useAgain(there, unused)).toEqual([])

  // An authorization record is not single-use: a request from before the backup can be accepted after it.
  expect((await here.accept(pending)).status).toBe(200)
  expect((await there.inquire(pending)).headers.get('x-authorization-state')).toBe('ACCEPTED')
  for (const api of [here, there])
    expect(await use(api, await mint(api, 1))).toEqual(only(200, SINGLE_USE_KINDS.length))
})
