import { setFlagsFromString } from 'node:v8'
// A sandbox costs its rows and nothing else: no statement while it is idle, no memory, and no time of
// other requests. The rows go with the sandbox.
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../src/kit/sandbox.ts'
import { startTestService, type TestService } from '../src/kit/test-service.ts'
import { countStatements } from '../src/kit/waiting-inquiries.ts'

const SANDBOXES = 1_000
const QUIET_MS = 3_000
const SAMPLE = 40
/** Only ends a test that hangs. */
const MAX_MS = 3_600_000

/** What outlives a sandbox: the audit, and the partners that it names, with what is counted some seconds after their last request. */
const KEPT = /^(partner$|partner_figure$|partner_use$|audit_)/
/** Housekeeping adds up the counts of keys every half minute. */
const HOUSEKEEPING_MS = 90_000

type Sizes = Map<string, { rows: number; bytes: number }>

async function readSizes({ db, countRows }: TestService): Promise<Sizes> {
  const { rows: tables } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db)
  const counts = await countRows(...tables.map(({ name }) => name))
  return new Map(tables.map(({ name, bytes }, index) => [name, { rows: counts[index]!, bytes }]))
}

/** How many rows each table has more than before, without the audit's. */
const addedRows = (before: Sizes, after: Sizes) =>
  Object.fromEntries(
    [...after]
      .map(([name, { rows }]) => [name, rows - before.get(name)!.rows] as const)
      .filter(([name, count]) => count !== 0 && !name.startsWith('audit_')),
  )
const totalBytes = (sizes: Sizes) => [...sizes.values()].reduce((sum, { bytes }) => sum + bytes, 0)

/** Makes sandboxes as visitors of many addresses, one after the other. Returns how long each took. */
async function createMany({ url }: TestService, count: number): Promise<number[]> {
  const times: number[] = []
  for (let visitor = 0; visitor < count; visitor++) {
    const startedAtMs = performance.now()
    const headers = { 'X-Forwarded-For': `203.0.113.${visitor % 250}` }
    const { status } = await fetch(`${url}/sandbox`, { method: 'POST', headers })
    expect(status).toBe(201)
    times.push(performance.now() - startedAtMs)
  }
  return times
}

const collectGarbage = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()
const heapBytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** The requests of a visitor, by name. */
async function requestsOf(own: Sandbox) {
  const { record } = await own.profiles.requestAuthorization(await own.showQr(own.manual.token, 'inquire'))
  return {
    inquire: () => own.profiles.inquire(record.tracking_no),
    requestAuthorization: async () =>
      own.profiles.requestAuthorization(await own.showQr(own.manual.token, 'inquire')),
    'list of requests': () => own.requests(),
  }
}

test(`${SANDBOXES} sandboxes cost no more than their rows`, { timeout: MAX_MS }, async () => {
  const settings = { TIWALA_SANDBOXES: String(SANDBOXES), TIWALA_TRUSTED_PROXIES: '127.0.0.1' }
  const [alone, full] = [await startTestService(settings), await startTestService(settings)]
  const [own, one] = [await createSandbox(alone.url), await createSandbox(full.url)]
  const before = { sizes: await readSizes(full), ...(await countStatements(QUIET_MS)) }

  await createMany(full, 1)
  const perSandbox = addedRows(before.sizes, await readSizes(full))
  const times = await createMany(full, SAMPLE)
  const heapBefore = heapBytes()
  times.push(...(await createMany(full, SANDBOXES - 2 - SAMPLE)))
  const heap = (heapBytes() - heapBefore) / (SANDBOXES - 2 - SAMPLE)

  const sizes = await readSizes(full)
  const added = SANDBOXES - 1
  expect(addedRows(before.sizes, sizes)).toEqual(
    Object.fromEntries(Object.entries(perSandbox).map(([name, count]) => [name, count * added])),
  )
  const { statements } = await countStatements(QUIET_MS)
  const bytes = (totalBytes(sizes) - totalBytes(before.sizes)) / added
  console.log('rows of a sandbox:', perSandbox)
  console.log(
    `a sandbox: ${Math.round(bytes)} bytes of tables and indexes, ${Math.round(heap)} bytes of the heap, ` +
      `made in ${median(times.slice(0, SAMPLE)).toFixed(1)} ms at first and ` +
      `${median(times.slice(-SAMPLE)).toFixed(1)} ms at last; statements in ${QUIET_MS} ms: ` +
      `${before.statements} with 2 sandboxes, ${statements} with ${SANDBOXES + 1}`,
  )
  expect(bytes).toBeLessThan(100_000)
  expect(heap).toBeLessThan(4_000)
  expect(statements - before.statements).toBeLessThan(SANDBOXES / 100)

  const [few, many] = [await requestsOf(own), await requestsOf(one)]
  for (const name of Object.keys(few) as (keyof typeof few)[]) {
    const tookMs: [number[], number[]] = [[], []]
    // In turn, so that other work of the machine slows both down.
    for (let round = 0; round < SAMPLE; round++)
      for (const [index, send] of [few[name], many[name]].entries()) {
        const sentAtMs = performance.now()
        await send()
        tookMs[index]!.push(performance.now() - sentAtMs)
      }
    const [withOne, withAll] = tookMs.map(median)
    console.log(
      `${name}: ${withOne!.toFixed(1)} ms with 1 sandbox, ${withAll!.toFixed(1)} ms with ${SANDBOXES}`,
    )
    expect(withAll!).toBeLessThan(3 * withOne! + 5)
  }

  const endedAtMs = performance.now()
  await sql`update sandbox set expires_at = now() where sandbox_id <> 'default'`.execute(full.db)
  // Wakes the process that deletes them.
  await full.advance(1)
  await expect.poll(() => full.countRows('sandbox'), { timeout: MAX_MS }).toEqual([1])
  console.log(`${SANDBOXES} sandboxes deleted in ${Math.round(performance.now() - endedAtMs)} ms`)
  const findLeft = async () => {
    const left = addedRows(before.sizes, await readSizes(full))
    return Object.keys(left).filter((name) => left[name]! > 0 && !KEPT.test(name))
  }
  await expect.poll(findLeft, { timeout: HOUSEKEEPING_MS }).toEqual([])
  await alone.close()
  await full.close()
})
