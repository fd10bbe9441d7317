// The metrics of several processes as one. A worker that is asked for the metrics asks the primary, and the
// primary asks every worker (`@prometheus-io/client`) and adds the values. A single process reads its own.
import cluster, { type Worker } from 'node:cluster'
import { ClusterRegistry } from '@prometheus-io/client'
import { registry } from './registry.ts'

const TIMEOUT_MS = 6_000
const HAND_OVER_MS = 1_000
type Question = { metricsOf: number }
type Answer = { metricsFor: number; text: string }

let isAnnounced = false
let questions = 0

/** In a worker that has reported that it is ready: an earlier primary takes any message for that report. */
export function announceMetrics(): void {
  ClusterRegistry.setRegistries(registry)
  aggregator()
  isAnnounced = true
}

const create = () => new ClusterRegistry()
let created: ReturnType<typeof create> | undefined
const aggregator = () => (created ??= create())

/** Keeps the counters of a worker that ends, so that the sums of all processes never fall. */
export async function handOverMetrics(): Promise<void> {
  // The types of the library lack this method.
  const ending = aggregator() as unknown as { shutdown(timeoutMs: number): Promise<void> }
  if (isAnnounced) await ending.shutdown(HAND_OVER_MS).catch(() => {})
}

/** In the primary: answers the workers that were asked. */
export function answerWorkers(): void {
  ClusterRegistry.setRegistries([])
  aggregator()
  cluster.on('message', (worker: Worker, message: Partial<Question>) => {
    const { metricsOf } = message
    if (metricsOf === undefined) return
    void aggregator()
      .clusterMetrics()
      .catch(() => '')
      .then(
        (text: string) =>
          worker.isConnected() && worker.send({ metricsFor: metricsOf, text } satisfies Answer),
      )
  })
}

/** The text of all processes, in the format of Prometheus. Empty if a process does not answer in time. */
export function readMetrics(): Promise<string> {
  if (!isAnnounced) return registry.metrics()
  const metricsOf = ++questions
  return new Promise((resolve) => {
    const finish = (text: string) => {
      clearTimeout(timer)
      process.off('message', onMessage)
      resolve(text)
    }
    const onMessage = (message: Partial<Answer>) => {
      if (message.metricsFor === metricsOf) finish(message.text ?? '')
    }
    const timer = setTimeout(() => finish(''), TIMEOUT_MS)
    process.on('message', onMessage)
    process.send!({ metricsOf } satisfies Question)
  })
}
