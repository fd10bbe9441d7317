/**
 * What the audit and the events to partners keep of the request that caused them. `traceparent`: null if the
 * caller started no trace.
 */
export type Origin = { requestId: string; traceparent: string | null }
