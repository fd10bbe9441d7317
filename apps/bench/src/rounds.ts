/** The columns of the results. */
export const COLUMNS = {
  perSecond: 'per second',
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  cpuMs: 'server CPU ms each',
  postgresCpuMs: 'PostgreSQL CPU ms each',
  /** Events that were not delivered when the load ended. */
  backlog: 'undelivered events',
  walKb: 'log kB each',
  ms: 'ms',
  startMs: 'start ms',
  memoryMb: 'memory MB',
}
export type Column = keyof typeof COLUMNS
/** What one round of a task has measured: NaN for what this system cannot measure. */
export type Values = Partial<Record<Column, number>>
/** The values of the counted rounds, by the name of the task. */
export type Rounds = Record<string, Values[]>

export type Task = {
  name: string
  measure(isWarmUpRound: boolean): Promise<Values>
  /** Another task warms this contender up, or it needs no warm-up. */
  hasNoWarmUpRound?: boolean
}

const startedAtMs = performance.now()

/** Writes progress to standard error. Standard output holds only the result. */
export function log(text: string): void {
  const seconds = Math.round((performance.now() - startedAtMs) / 1000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`)
}

/**
 * Runs each task once per round, one after the other, so that each contender is alone under load. A warm-up
 * round comes first and is not counted.
 */
export async function runRounds(count: number, tasks: readonly Task[]): Promise<Rounds> {
  const rounds: Rounds = Object.fromEntries(tasks.map(({ name }) => [name, []]))
  for (let round = 0; round <= count; round++)
    for (const { name, measure, hasNoWarmUpRound } of tasks) {
      if (round === 0 && hasNoWarmUpRound) continue
      const values = await measure(round === 0)
      if (round > 0) rounds[name]!.push(values)
      const texts = Object.entries(COLUMNS).flatMap(([column, label]) => {
        const value = values[column as Column]
        return value === undefined ? [] : [`${value.toFixed(2)} ${label}`]
      })
      const label = round === 0 ? 'warm-up round' : `round ${round} of ${count}`
      log(`  ${label}: ${name}: ${texts.join(', ')}`)
    }
  return rounds
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of the rounds. NaN if it was not measured. */
export const medianOf = (rounds: Rounds, name: string, column: Column = 'perSecond'): number =>
  median(rounds[name]!.map((values) => values[column] ?? NaN))

/**
 * The median of the ratios of each round. Both contenders run in each round, one after the other, so what
 * slows the machine slows both.
 */
export const ratioOf = (rounds: Rounds, name: string, base: string, column: Column = 'perSecond'): number =>
  median(rounds[name]!.map((values, round) => values[column]! / rounds[base]![round]![column]!))
