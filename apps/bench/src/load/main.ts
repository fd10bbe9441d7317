// The load generator, a separate process. It reads a job from standard input and writes the result to
// standard output, both as JSON.
import { createHistogram } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { Client, type Dispatcher } from 'undici'

/**
 * A request. `{item}` in it stands for an item of the job, or for what an earlier step has taken from its response.
 * `{token}` stands for the second word of an item, if it has one.
 */
export type Step = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** What the next steps take from the response. */
  takes?: 'access_token' | 'tracking_no'
}

/**
 * Each connection takes the next item, sends its steps, and takes the next one at once. With `seconds` it
 * does so for a time, and begins again after the last item. Otherwise it uses each item once.
 */
export type Job = { connections: number; items: string[]; steps: Step[] } & (
  | { warmUpSeconds: number; seconds: number }
  | { warmUpItems: number }
)

/** Rates and latencies are without the warm-up. */
export type LoadResult = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The items used, including those of the warm-up. */
  totalCount: number
  /** The first response of the last step. */
  sampleBody: string
  /** What the last step takes, with the token of its item. */
  taken: string[]
}

const { origins, ...job } = (await json(process.stdin)) as Job & { origins: string[] }
const steps = job.steps.map((step) => ({ ...step, request: JSON.stringify(step) }))
const taken: string[] = []
let sampleBody = ''

async function sendSteps(client: Client, item: string): Promise<void> {
  let [[value = '', token = ''], text] = [item.split(' '), '']
  for (const { path, request, takes } of steps) {
    const filled = JSON.parse(
      request.replace('{item}', value).replace('{token}', token),
    ) as Dispatcher.RequestOptions
    const { statusCode, body } = await client.request(filled)
    text = await body.text()
    if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}: ${text}`)
    const response = () => JSON.parse(text) as { access_token: string; data: { tracking_no: string } }
    if (takes === 'access_token') value = response().access_token
    if (takes === 'tracking_no') value = response().data.tracking_no
  }
  sampleBody ||= text
  if (steps.at(-1)!.takes) taken.push(token ? `${value} ${token}` : value)
}

/** The latencies after the warm-up, in microseconds. */
const histogram = createHistogram({ figures: 3 })
const beganAtMs = performance.now()
let countedSinceMs = Infinity
let totalCount = 0

function hasWarmedUp(index: number): boolean {
  if ('warmUpItems' in job) return index >= job.warmUpItems
  return performance.now() >= beganAtMs + job.warmUpSeconds * 1000
}

function hasEnded(index: number): boolean {
  if ('warmUpItems' in job) return index >= job.items.length
  return performance.now() >= beganAtMs + (job.warmUpSeconds + job.seconds) * 1000
}

async function run(client: Client): Promise<void> {
  for (let index = totalCount++; !hasEnded(index); index = totalCount++) {
    const startedAtMs = performance.now()
    if (countedSinceMs === Infinity && hasWarmedUp(index)) countedSinceMs = startedAtMs
    await sendSteps(client, job.items[index % job.items.length]!)
    if (startedAtMs >= countedSinceMs)
      histogram.record(Math.max(1, Math.round((performance.now() - startedAtMs) * 1000)))
  }
}

// Connections are spread evenly over the server processes, as a load balancer does.
const clients = Array.from(
  { length: job.connections },
  (_, index) => new Client(origins[index % origins.length]!),
)
await Promise.all(clients.map(run))
const result: LoadResult = {
  perSecond: (histogram.count * 1000) / (performance.now() - countedSinceMs),
  p50Ms: histogram.percentile(50) / 1000,
  p99Ms: histogram.percentile(99) / 1000,
  totalCount: totalCount - clients.length,
  sampleBody,
  taken,
}
process.stdout.write(JSON.stringify(result))
await Promise.all(clients.map((client) => client.close()))
