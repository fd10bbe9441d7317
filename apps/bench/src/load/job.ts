/** What the load generator is told, and what it tells back: plain JSON, since it is a process of its own. */
export type Job = {
  origins: string[]
  connections: number
} & (InquireJob | SignInJob)

/** Reads records in a closed loop for a while: each connection asks again as soon as it is answered. */
export type InquireJob = {
  kind: 'inquire'
  warmUpSeconds: number
  seconds: number
  path: string
  headers: Record<string, string>
  accepted: string[]
  /** How many ended records there are to draw from, which every second request then does; 0: accepted ones only. */
  ended: number
}

/** Uses up codes, or tokens: each once. The first `warmUp` of them are not counted. */
export type SignInJob = {
  kind: 'signIn'
  warmUp: number
  /** Codes, or tokens where there is no `token` step. */
  items: string[]
  token?: { path: string; form: Record<string, string>; codeField: string }
  profile?: { method: 'GET' | 'POST'; path: string }
}

export type Outcome = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  count: number
  /** With those of the warm-up. */
  total: number
  seconds: number
  /** When the counted part began and ended, by the clock of CPU profiles (monotonic, in microseconds). */
  window: [number, number]
  /** The first body that was answered. */
  sample: unknown
  /** What was obtained, where nothing else followed. */
  tokens: string[]
}
