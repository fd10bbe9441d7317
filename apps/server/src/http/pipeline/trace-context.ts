// The trace of a request (W3C Trace Context, level 1). The service records no spans of its own. It continues
// the trace of the caller in its log, its response and the events to partners, so that others can join them.
import { mintSpanId, mintTraceId } from '../../secrets/tokens.ts'

/**
 * A valid `traceparent`: version, trace id, parent id and flags, in lower case. Version `ff` and ids of zeros
 * only are invalid. Version `00` has nothing after the flags; later versions may have more (section 3.2).
 */
const TRACEPARENT =
  /^(?!ff|00-.{53})[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]([0-9a-f])(?:-|$)/

/** `isContinued`: the caller started the trace. Otherwise it begins here. */
export type Trace = { id: string; traceparent: string; isContinued: boolean }

/**
 * Continues the trace of a request with a new span id. Only the flag "sampled" is passed on, as the standard
 * demands. A new trace is not sampled, since the service records no spans.
 */
export function continueTrace(received: string | undefined): Trace {
  const [, callersId, flags = '0'] = (received !== undefined && TRACEPARENT.exec(received)) || []
  const id = callersId ?? mintTraceId()
  const sampled = Number.parseInt(flags, 16) & 1
  return {
    id,
    traceparent: `00-${id}-${mintSpanId()}-0${sampled}`,
    isContinued: callersId !== undefined,
  }
}
