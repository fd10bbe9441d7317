/** The medians of a contender over the rounds. A value is absent where it was not measured. */
export type Figure = {
  name: string
  perSecond?: number
  p50Ms?: number
  p99Ms?: number
  /** Processor time of the server for each request or journey. */
  cpuMs?: number | undefined
  /** Processor time of PostgreSQL for each request or journey. */
  postgresCpuMs?: number | undefined
  memoryMb?: number | undefined
  startMs?: number
  /** Events that were not delivered when the load ended. */
  backlog?: number
}

/**
 * A ratio with the threshold that it must meet and the target that it should meet. Both are minimums, or
 * maximums if `isAtMost` is set.
 */
export type Ratio = {
  name: string
  value: number
  threshold?: number
  target?: number
  isAtMost?: boolean
  note?: string
}

/** The results of one benchmark. `method` says what was measured, and how. */
export type Section = {
  benchmark: string
  title: string
  method: string
  ratios: Ratio[]
  figures: Figure[]
  notes: string[]
  charts: BarChart[]
}

export type BarChart = { file: string; title: string; unit: string; bars: { name: string; value: number }[] }
