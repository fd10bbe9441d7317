// The trace of a request (W3C Trace Context, level 1). The service continues the trace of the caller in its log, its
// response and the events to partners, so that others can join them. It records spans only with `TIWALA_OTLP_URL`.
import type { RemoteParent, Span } from '../../metrics/tracing.ts'
import { mintSpanId, mintTraceId } from '../../secrets/tokens.ts'

/** `isContinued`: the caller started the trace, or this process records it. Events to partners then name it. */
export type Trace = { id: string; traceparent: string; isContinued: boolean }

/**
 * Continues the trace of a request with a new span id, or that of `span`. Only the flag "sampled" is passed on, as the
 * standard demands. A new trace is sampled only if this process records it.
 */
export function continueTrace(callers: RemoteParent | undefined, span?: Span): Trace {
  const [, ownId, spanId] = span?.traceparent.split('-') ?? []
  const id = ownId ?? callers?.traceId ?? mintTraceId()
  const isSampled = callers?.isSampled || span?.isSampled
  return {
    id,
    traceparent: `00-${id}-${spanId ?? mintSpanId()}-0${isSampled ? 1 : 0}`,
    isContinued: callers !== undefined || span?.isSampled === true,
  }
}
