// One server process for TIWALA_SOAK_MINUTES (10 if not set; the long form is 60), under so much load that
// the machine is busy half of the time: consents, sign-ins, shared QR values, every operation in turn,
// webhooks, event streams, inquiries that wait, and rotations of secrets and keys. Its responses must
// not become slower, and afterwards it must hold no more memory, connections, timers, files and slots than before.
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@tiwala/server/testing'
import { scrapeMetrics, valueOf } from '@tiwala/server/testing-metrics'
import { startReadyProcess } from '@tiwala/server/testing-process'
import { expect, test } from 'vitest'
import { untilSealed } from '../src/kit/audit.ts'
import { startServiceForFile } from '../src/kit/test-service.ts'
import { createUsers } from '../src/kit/users.ts'
import { type Held, inspectProcess } from './inspect-process.ts'
import { createKeyRing, PURPOSES } from './key-ring.ts'
import { type Journey, startTraffic, type Tally } from './open-loop.ts'
import { settingsBeside } from './process-beside.ts'
import { createTraffic } from './rotation-traffic.ts'
import { everyOperation, IDS, startWaiting } from './soak-traffic.ts'

const MINUTES = Number(process.env['TIWALA_SOAK_MINUTES'] ?? 10)
const SAMPLES = 20
const SAMPLE_MS = (MINUTES * 60_000) / SAMPLES
/** The samples that are compared: the first and the last of the run. */
const COMPARED_SAMPLES = 5
/** From the first quarter to the last: the time that all processors work for a request. */
const MAX_WORK_RATIO = 1.2
/**
 * From the first quarter to the last: the time to a response, which also shows requests that wait for one another.
 * A short run has samples of half a minute, and pauses of the machine decide how slow each is: without a trend, the
 * work in one sample was up to 1.3 times that in another, the p50 1.7 times, the p90 3 times.
 */
const MAX_RESPONSE_RATIO = MINUTES < 60 ? 1.5 : 1.2
const COMPARED_PERCENTILE = MINUTES < 60 ? 50 : 99
const ROTATED_EVERY_SAMPLES = 4
const AFTER_COLLECTION_MS = 2_000

/** So many that each has a few hundred requests in an hour at most. Each request counts those before it. */
const CITIZENS = 2_000
const CALLERS = 32
const WARM_UP_MS = 60_000
const CALIBRATION_MS = 60_000
/** So many journeys keep a machine of two cores busy for about a third of the time. */
const CALIBRATION_PER_SECOND = 40
const SHARE_OF_CAPACITY = 0.5
const EVERY_OPERATION_PER_SECOND = 1

/**
 * Between two times without traffic: under load, there is more in flight. It is 16 bytes for each request of ten
 * minutes.
 */
const MAX_GROWTH_MIB = 2
/** What the limit of disclosures keeps of a record for an hour: its key, with the address that contains it. */
const BYTES_OF_DISCLOSED_RECORD = 400
/** What a process holds changes by itself: a query in flight, a timer that has just ended. */
const TOLERANCE = 3
/** Clients keep an idle connection for as long as the service says. By default that is ten minutes. */
const KEEP_ALIVE_MS = 60_000
const SETTLED_AFTER_MS = KEEP_ALIVE_MS + 30_000

const service = await startServiceForFile({})

/** Callers who each run one journey after the other. Each operation stays in memory after its first request. */
async function warmUp(journeys: Journey[], anyOperation: Journey): Promise<void> {
  for (const _ of IDS) await anyOperation(async () => {})
  const endsAtMs = performance.now() + WARM_UP_MS
  const runJourneys = async (caller: number) => {
    for (let turn = caller; performance.now() < endsAtMs; turn++)
      await journeys[turn % journeys.length]!(async () => {})
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => runJourneys(caller)))
}

/** How long all processors together have been busy and idle. */
function readProcessors(): { busyMs: number; idleMs: number } {
  const times = cpus().map((each) => each.times)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return {
    busyMs: sum(times.map(({ user, nice, sys, irq }) => user + nice + sys + irq)),
    idleMs: sum(times.map(({ idle }) => idle)),
  }
}

/**
 * The journeys per second that would keep all processors busy, with what they cause in the background. A
 * measurement at full speed would leave out the webhooks, which are delivered later.
 */
async function measureCapacity(journeys: Journey[], tally: Tally): Promise<number> {
  const before = readProcessors()
  const calibration = startTraffic(journeys, CALIBRATION_PER_SECOND, tally)
  await sleep(CALIBRATION_MS)
  const after = readProcessors()
  await calibration.end()
  const [busyMs, idleMs] = [after.busyMs - before.busyMs, after.idleMs - before.idleMs]
  return (CALIBRATION_PER_SECOND * (busyMs + idleMs)) / busyMs
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
const percentile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length * share) / 100)]!

const countDisclosures = async (operatorUrl: string) => {
  const metrics = await scrapeMetrics(operatorUrl)
  return valueOf(metrics, 'tiwala_audit_events_total{kind="profile.disclosed"}')
}

/** What a process holds more of afterwards than before. */
function leaksOf(before: Held, after: Held): string[] {
  const counts = (held: Held): Record<string, number> => ({ files: held.openFiles, ...held.resources })
  return Object.entries(counts(after))
    .filter(([kind, count]) => count > (counts(before)[kind] ?? 0) + TOLERANCE)
    .map(([kind, count]) => `${kind}: ${counts(before)[kind] ?? 0} before, ${count} after`)
}

test(
  `${MINUTES} minutes at half of capacity: steady responses, nothing leaks`,
  { timeout: (MINUTES + 10) * 60_000 },
  async () => {
    const [inspectorPort, operatorPort] = [await freePort(), await freePort()]
    const operatorUrl = `http://127.0.0.1:${operatorPort}`
    await using server = await startReadyProcess(
      {
        ...(await settingsBeside(service)),
        TIWALA_OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
        TIWALA_KEEP_ALIVE_SECONDS: String(KEEP_ALIVE_MS / 1_000),
      },
      [`--inspect=127.0.0.1:${inspectorPort}`],
    )
    const inspected = await inspectProcess(server.pid, inspectorPort)
    const users = await createUsers(server.url, service.tokens, operatorUrl)
    let timesMs: number[] = []
    const timedFetch = async (request: Request) => {
      const startedAtMs = performance.now()
      const response = await fetch(request)
      timesMs.push(performance.now() - startedAtMs)
      return response
    }
    const traffic = await createTraffic(users, server.url, timedFetch, CITIZENS)
    /** When all connections of the traffic are closed. */
    const readSettled = async () => {
      await untilSealed(users.operator)
      await sleep(SETTLED_AFTER_MS)
      return inspected.read()
    }

    const tally: Tally = { sent: 0, failures: [], slowestMs: 0, lateMs: 0 }
    const anyOperation = await everyOperation(users, service)
    await warmUp(traffic.journeys, anyOperation)
    const before = await readSettled()
    const disclosedBefore = await countDisclosures(operatorUrl)
    const capacity = await measureCapacity(traffic.journeys, tally)

    const waiting = await startWaiting(users)
    const runs = [
      startTraffic(traffic.journeys, capacity * SHARE_OF_CAPACITY, tally),
      startTraffic([anyOperation], EVERY_OPERATION_PER_SECOND, tally),
    ]
    const keyRing = createKeyRing({ ...service, operator: users.operator })
    async function rotate(): Promise<void> {
      await traffic.rotateCredentials()
      await traffic.rotateWebhookSecret()
      for (const purpose of PURPOSES) await keyRing.add(purpose)
    }
    const samples: { workMs: number; responseMs: number }[] = []
    const rotations: Promise<void>[] = []
    for (let sample = 1; sample <= SAMPLES; sample++) {
      timesMs = []
      const processorsBefore = readProcessors()
      if (sample % ROTATED_EVERY_SAMPLES === 0) rotations.push(rotate())
      await sleep(SAMPLE_MS)
      const sampleMs = [...timesMs]
      const workMs = (readProcessors().busyMs - processorsBefore.busyMs) / sampleMs.length
      samples.push({ workMs, responseMs: percentile(sampleMs, COMPARED_PERCENTILE) })
      const { heapMiB, openFiles } = await inspected.read()
      // The requests that waited for the collection of the garbage are not counted.
      await sleep(AFTER_COLLECTION_MS)
      const responsesMs = [50, 90, 99].map((share) => percentile(sampleMs, share).toFixed(1))
      console.log(
        `${Math.round((sample * SAMPLE_MS) / 1000)} s: ${Math.round((sampleMs.length * 1000) / SAMPLE_MS)}`,
        `requests a second, ${workMs.toFixed(2)} ms of processors for each, p50, p90 and p99 ${responsesMs.join(', ')} ms,`,
        `heap ${heapMiB.toFixed(2)} MiB,`,
        `${openFiles} files, ${tally.failures.length} failures,`,
        waiting.counts,
      )
    }
    await Promise.all(rotations)
    await Promise.all([...runs.map(({ end }) => end()), waiting.end()])
    const after = await readSettled()
    const metrics = await scrapeMetrics(operatorUrl)
    inspected.close()

    // A pause of the machine makes one sample slow, so this compares medians.
    const firstAndLast = (values: number[]) =>
      [median(values.slice(0, COMPARED_SAMPLES)), median(values.slice(-COMPARED_SAMPLES))] as const
    const [firstWorkMs, lastWorkMs] = firstAndLast(samples.map(({ workMs }) => workMs))
    const [firstMs, lastMs] = firstAndLast(samples.map(({ responseMs }) => responseMs))
    const disclosed = (await countDisclosures(operatorUrl)) - disclosedBefore
    const keptMiB = (disclosed * BYTES_OF_DISCLOSED_RECORD) / 2 ** 20
    const growthMiB = after.heapMiB - before.heapMiB
    console.log(
      `capacity ${capacity.toFixed(0)} journeys a second; heap ${growthMiB.toFixed(2)} MiB more,`,
      `of which up to ${keptMiB.toFixed(2)} for disclosed records;`,
      `in the first and the last quarter ${firstWorkMs.toFixed(2)} and ${lastWorkMs.toFixed(2)} ms of processors,`,
      `p${COMPARED_PERCENTILE} ${firstMs.toFixed(1)} and ${lastMs.toFixed(1)} ms;`,
      `${traffic.countEvents()} events`,
      before,
      after,
    )
    expect([tally.failures.slice(0, 3), waiting.failures.slice(0, 3), traffic.unverified]).toEqual([
      [],
      [],
      [],
    ])
    expect(leaksOf(before, after)).toEqual([])
    const slots = ['tiwala_requests_in_flight', 'tiwala_requests_queued']
    const waits = ['inquiry', 'event_stream'].map((kind) => `tiwala_waiting_requests{kind="${kind}"}`)
    expect([...slots, ...waits].map((line) => valueOf(metrics, line))).toEqual([0, 0, 0, 0])
    expect(growthMiB - keptMiB, 'MiB of heap more than before').toBeLessThan(MAX_GROWTH_MIB)
    expect(lastWorkMs / firstWorkMs, 'work for a request, last quarter to first').toBeLessThan(MAX_WORK_RATIO)
    expect(lastMs / firstMs, 'time to a response, last quarter to first').toBeLessThan(MAX_RESPONSE_RATIO)
    await traffic.close()
  },
)
