import type { Measured } from '../load/run-load.ts'
import { median } from '../report/median.ts'
import type { Figure } from '../report/section.ts'
import { log } from '../log.ts'

export type Entrant = { name: string; measure(isFirst: boolean): Promise<Measured> }

/**
 * Everybody once a round, in turn and alone; by name, the rounds. The first is not counted: it leaves no server cold.
 * `atItsEnd` belongs to each counted round, too. `isWarm`: whoever takes part has been measured before.
 */
export async function runRounds(
  rounds: number,
  entrants: readonly Entrant[],
  { atItsEnd = async () => {}, isWarm = false } = {},
): Promise<Record<string, Measured[]>> {
  const played: Record<string, Measured[]> = Object.fromEntries(entrants.map(({ name }) => [name, []]))
  for (let round = isWarm ? 1 : 0; round <= rounds; round++) {
    for (const { name, measure } of entrants) {
      const measured = await measure(round === 0)
      if (round > 0) played[name]!.push(measured)
      const { perSecond, p50Ms, p99Ms } = measured
      const which = round === 0 ? 'to warm up' : `round ${round} of ${rounds}`
      log(`  ${which}: ${name}: ${Math.round(perSecond)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`)
    }
    if (round > 0) await atItsEnd()
  }
  return played
}

export function toFigure(name: string, measured: readonly Measured[]): Figure {
  const of = (pick: (one: Measured) => number) => median(measured.map(pick))
  const known = (pick: (one: Measured) => number | undefined) =>
    measured.some((one) => pick(one) === undefined) ? undefined : of((one) => pick(one)!)
  return {
    name,
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    cpuMs: known(({ cpuMs }) => cpuMs),
    postgresCpuMs: known(({ postgresCpuMs }) => postgresCpuMs),
    memoryMb: known(({ memoryMb }) => memoryMb),
  }
}
