import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number }
type Attribute = { key: string; value: Value }
export type ReceivedSpan = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attribute[]
  status: { code?: number }
}
type Point = {
  attributes: Attribute[]
  asDouble?: number
  count?: number
  bucketCounts?: number[]
  explicitBounds?: number[]
}
type Points = { dataPoints: Point[] }
export type ReceivedMetric = { name: string; sum?: Points; gauge?: Points; histogram?: Points }
type Scope = { spans?: ReceivedSpan[]; metrics?: ReceivedMetric[] }
type Resource = { scopeSpans?: Scope[]; scopeMetrics?: Scope[] }
type Message = { resourceSpans?: Resource[]; resourceMetrics?: Resource[] }

/** A collector for the test: it takes OTLP over HTTP as JSON, and keeps all that arrives. */
export async function startOtlpReceiver() {
  const bodies: string[] = []
  const messages: Message[] = []
  const server = createServer(async (req, res) => {
    const body = await text(req)
    bodies.push(body)
    messages.push(JSON.parse(body) as Message)
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const resources = (name: 'resourceSpans' | 'resourceMetrics') =>
    messages.flatMap((message) => message[name] ?? [])
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => bodies.join('\n'),
    spans: () =>
      resources('resourceSpans').flatMap(({ scopeSpans = [] }) =>
        scopeSpans.flatMap(({ spans = [] }) => spans),
      ),
    metrics: () =>
      resources('resourceMetrics').flatMap(({ scopeMetrics = [] }) =>
        scopeMetrics.flatMap(({ metrics = [] }) => metrics),
      ),
    [Symbol.asyncDispose]: async () => (server.closeAllConnections(), server.close(), undefined),
  }
}

export const attributesOf = ({ attributes }: { attributes: Attribute[] }) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0] as string | number | boolean]),
  )
