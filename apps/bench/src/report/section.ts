/** A contender's medians over the rounds. What is absent could not be told. */
export type Figure = {
  name: string
  perSecond?: number
  p50Ms?: number
  p99Ms?: number
  /** Processor time of the server, and of PostgreSQL, for a request or a journey. */
  cpuMs?: number | undefined
  postgresCpuMs?: number | undefined
  memoryMb?: number | undefined
  startMs?: number
  /** Events to partners that were not delivered when the load ended. */
  backlog?: number
}

/** How a ratio fares against what the issue demands; `isAtMost`: smaller is better. */
export type Ratio = { name: string; value: number; bar?: number; aim?: number; isAtMost?: boolean; note?: string }

export type Section = { part: string; title: string; how: string; ratios: Ratio[]; figures: Figure[]; notes: string[]; pictures: Picture[] }

export type Picture = { file: string; title: string; unit: string; bars: { name: string; value: number }[] }
