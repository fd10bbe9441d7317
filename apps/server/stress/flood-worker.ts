// A worker thread that keeps `concurrency` requests in flight until it gets a message. Then it reports the
// statuses.
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

export type Flood = {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
  concurrency: number
}

const { url, method = 'GET', headers = {}, body, concurrency } = workerData as Flood
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
const statuses: Record<string, number> = {}
let isEnding = false

const sendOnce = () =>
  new Promise<void>((resolve) => {
    const count = (outcome: string) => {
      statuses[outcome] = (statuses[outcome] ?? 0) + 1
      resolve()
    }
    const sent = request(url, { method, headers, agent }, (response) => {
      response.resume().once('end', () => count(String(response.statusCode)))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => count(error.code ?? error.name))
    sent.end(body)
  })

const sendAgain = async () => {
  while (!isEnding) await sendOnce()
}

parentPort!.once('message', () => (isEnding = true))
await Promise.all(Array.from({ length: concurrency }, sendAgain))
agent.destroy()
parentPort!.postMessage(statuses, [])
