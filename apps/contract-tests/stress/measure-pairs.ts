// Times two requests that take turns, so that other load on the machine slows both alike.
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { OperationId } from '@tiwala/contract'
import { locate } from '@tiwala/kit/operations'
import { bodyOf } from '../src/kit/body-forms.ts'
import type { RequestParts } from '../src/kit/valid-requests.ts'

/** A request that is sent many times. Its response does not change. */
export type TimedRequest = { id: OperationId; parts: RequestParts }

/** Relative to the median of the first request. The interval has 95 % confidence. */
export type Difference = { medianUs: number; relative: number; interval: [number, number] }

const RESAMPLES = 400
/** The code is compiled, connections are open and caches are filled. */
const WARM_UP_PAIRS = 300

export async function measurePairs(
  url: string,
  first: TimedRequest,
  second: TimedRequest,
  pairs: number,
): Promise<Difference> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = { first: new Float64Array(pairs), second: new Float64Array(pairs) }
  for (let pair = -WARM_UP_PAIRS; pair < pairs; pair++) {
    // The request after a pause of the garbage collector is slower, so neither is always the first.
    const order = Math.random() < 0.5 ? (['first', 'second'] as const) : (['second', 'first'] as const)
    for (const name of order) times[name][pair] = await timeUs(url, agent, name === 'first' ? first : second)
  }
  agent.destroy()
  const medianUs = median(times.first)
  const shares = Array.from({ length: RESAMPLES }, () => {
    const chosen = Uint32Array.from({ length: pairs }, () => Math.floor(Math.random() * pairs))
    const of = (all: Float64Array) => median(Float64Array.from(chosen, (pair) => all[pair]!))
    const resampled = of(times.first)
    return (of(times.second) - resampled) / resampled
  }).toSorted((a, b) => a - b)
  return {
    medianUs,
    relative: (median(times.second) - medianUs) / medianUs,
    interval: [shares[Math.floor(RESAMPLES * 0.025)]!, shares[Math.floor(RESAMPLES * 0.975)]!],
  }
}

const median = (values: Float64Array): number => values.toSorted()[values.length >> 1]!

/** The time until the whole response has arrived. */
function timeUs(url: string, agent: Agent, { id, parts }: TimedRequest): Promise<number> {
  const { method, path } = locate(id)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts.path![name]!))
  const { body, headers } = bodyOf(parts)
  const framing = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const startedAtMs = performance.now()
    const outgoing = request(`${url}${filled}${parts.query ? `?${parts.query}` : ''}`, {
      method,
      agent,
      headers: { ...headers, ...framing, ...parts.headers },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      text(incoming).then(() => resolve((performance.now() - startedAtMs) * 1000), reject)
    })
    outgoing.end(body)
  })
}
