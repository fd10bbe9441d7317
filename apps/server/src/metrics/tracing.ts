// The spans of this process. `otlp.ts` records them with OpenTelemetry if `TIWALA_OTLP_URL` is set. Otherwise `tracing`
// is undefined, no package of OpenTelemetry is loaded, and each place that could begin a span makes one comparison.
//
// Guarantee: names and attributes are texts of this program: operations, status and error codes, tables, types of events.
// No value of a request or of a statement gets here, and no partner, citizen or address.

export type Attributes = Record<string, string | number | boolean>
export type Span = {
  /** For the next process: its trace id and its own id. */
  readonly traceparent: string
  readonly isSampled: boolean
  /** Runs the work as part of the span: the spans that it begins are children of this one. */
  run<Result>(work: () => Result): Result
  end(attributes: Attributes, name?: string, isError?: boolean): void
}

/** Of another process. */
export type RemoteParent = { traceId: string; spanId: string; isSampled: boolean }

export type Tracing = {
  /** A request or a delivery: the first span of this process in its trace. Without `parent`, it begins a trace. */
  startRoot(kind: 'server' | 'client', name: string, parent?: RemoteParent): Span
  /** A child of `parent`, or of the span that runs. Undefined if there is none, as in background tasks. */
  startChild(name: string, parent?: Span): Span | undefined
}

export let tracing: Tracing | undefined
export const setTracing = (next: Tracing | undefined): void => void (tracing = next)

/** Runs the work as part of the span, if there is one. */
export const runIn = <Result>(span: Span | undefined, work: () => Result): Result =>
  span ? span.run(work) : work()

/**
 * A valid `traceparent`: version, trace id, parent id and flags, in lower case. Version `ff` and ids of zeros
 * only are invalid. Version `00` has nothing after the flags; later versions may have more (section 3.2).
 */
const TRACEPARENT =
  /^(?!ff|00-.{53})[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-[0-9a-f]([0-9a-f])(?:-|$)/

/** The caller's span, if the header is valid. */
export function readTraceparent(received: string | null | undefined): RemoteParent | undefined {
  const [, traceId, spanId, flags = '0'] = (received && TRACEPARENT.exec(received)) || []
  return traceId && spanId
    ? { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
    : undefined
}

const summaries = new Map<string, string>()

/** The verbs and tables of a statement, such as `update exchange_code, insert audit_event`. There are few texts. */
export function summarize(text: string): string {
  const known = summaries.get(text)
  if (known !== undefined) return known
  const parts = [
    ...text.matchAll(/(?<!\bfor (?:no key )?)\b(update|insert into|delete from|from|join)\s+([a-z_]+)/g),
  ].map(([, verb, table]) => `${verb!.split(' ')[0]!.replace(/from|join/, 'select')} ${table}`)
  const summary = [...new Set(parts)].join(', ').slice(0, 200) || text.trim().split(/\s/, 1)[0]!
  summaries.set(text, summary)
  return summary
}
