import type { Measurement } from '../load/run-load.ts'
import { log } from '../log.ts'
import { median } from '../report/median.ts'
import type { Figure } from '../report/section.ts'

export type Task = { name: string; measure(isWarmUpRound: boolean): Promise<Measurement> }

type Options = {
  /** Runs at the end of each counted round. */
  afterEachRound?: (() => Promise<void>) | undefined
  /** The contenders are warm from earlier rounds, so there is no warm-up round. */
  isWarmedUp?: boolean
}

/**
 * Runs each task once per round, one after the other, so that each contender is alone under load. A warm-up
 * round comes first and is not counted. Returns the measurements of the counted rounds by task name.
 */
export async function runRounds(
  rounds: number,
  tasks: readonly Task[],
  { afterEachRound, isWarmedUp = false }: Options = {},
): Promise<Record<string, Measurement[]>> {
  const measurements: Record<string, Measurement[]> = Object.fromEntries(tasks.map(({ name }) => [name, []]))
  for (let round = isWarmedUp ? 1 : 0; round <= rounds; round++) {
    for (const { name, measure } of tasks) {
      const measurement = await measure(round === 0)
      if (round > 0) measurements[name]!.push(measurement)
      const { perSecond, p50Ms, p99Ms } = measurement
      const latencies = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
      log(`  ${roundLabel(round, rounds)}: ${name}: ${Math.round(perSecond)}/s, ${latencies}`)
    }
    if (round > 0) await afterEachRound?.()
  }
  return measurements
}

/** Round 0 is the warm-up round. */
export const roundLabel = (round: number, rounds: number): string =>
  round === 0 ? 'warm-up round' : `round ${round} of ${rounds}`

/** The request or journey rates of the rounds. */
export const ratesOf = (measurements: readonly Measurement[]): number[] =>
  measurements.map(({ perSecond }) => perSecond)

/** The medians of the rounds. */
export function toFigure(name: string, measurements: readonly Measurement[]): Figure {
  const medianOf = (valueOf: (measurement: Measurement) => number) => median(measurements.map(valueOf))
  return {
    name,
    perSecond: medianOf(({ perSecond }) => perSecond),
    p50Ms: medianOf(({ p50Ms }) => p50Ms),
    p99Ms: medianOf(({ p99Ms }) => p99Ms),
    cpuMs: medianOrUndefined(measurements.map(({ cpuMs }) => cpuMs)),
    postgresCpuMs: medianOrUndefined(measurements.map(({ postgresCpuMs }) => postgresCpuMs)),
    memoryMb: medianOrUndefined(measurements.map(({ memoryMb }) => memoryMb)),
  }
}

/** `undefined` if one of the values could not be measured. */
export const medianOrUndefined = (values: (number | undefined)[]): number | undefined =>
  values.includes(undefined) ? undefined : median(values as number[])
