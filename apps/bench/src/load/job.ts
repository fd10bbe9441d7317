/** Input of the load generator. It is plain JSON, because the load generator is a separate process. */
export type Job = {
  origins: string[]
  connections: number
} & (InquireJob | SignInJob)

/** Reads records in a closed loop: each connection sends its next request as soon as it has a response. */
export type InquireJob = {
  kind: 'inquire'
  warmUpSeconds: number
  seconds: number
  path: string
  headers: Record<string, string>
  acceptedTrackingNos: string[]
  /** If it is not 0, every second request reads one of this many ended records. */
  endedRecords: number
}

/** Redeems each exchange code once, or uses each token once. */
export type SignInJob = {
  kind: 'signIn'
  /** The first `warmUpItems` items are not counted. */
  warmUpItems: number
  /** Exchange codes, or access tokens if the job has no `tokenStep`. */
  items: string[]
  tokenStep?: { path: string; form: Record<string, string>; codeField: string }
  profileStep?: { method: 'GET' | 'POST'; path: string }
}

/** Output of the load generator. Rates and latencies are without the warm-up. */
export type LoadResult = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  count: number
  /** Requests or journeys, including those of the warm-up. */
  totalCount: number
  seconds: number
  /** The first response body. */
  sampleBody: unknown
  /** The access tokens, if the job has no `profileStep` to use them. */
  tokens: string[]
}
