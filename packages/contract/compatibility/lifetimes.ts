import { type Comparison, report } from './comparison.ts'
import { asObject, type Json, pairs } from './json.ts'
import { into, startAt } from './place.ts'

/** The table under this heading of `info.description` is what a program can read of times. */
const TABLE = /^# Lifetimes\n+\|.*\n\|.*\n((?:\|.*(?:\n|$))+)/m

const UNITS: Record<string, number> = { s: 1, min: 60, h: 3600, d: 86_400 }

/** A documented time may grow. A value that ends earlier, or works fewer times, breaks callers. */
export function compareLifetimes(comparison: Comparison): void {
  const [before, after] = [lifetimesOf(comparison.before), lifetimesOf(comparison.after)]
  const at = startAt('Lifetimes')
  if (before !== undefined && after === undefined)
    return report(comparison, at, 'the table is gone', 'Keep the section `# Lifetimes` with its table.')
  for (const [item, old, current] of pairs(before, after)) {
    if (old === undefined) continue
    const [[time, uses], [newTime, newUses]] = [old as string[], (current ?? []) as string[]]
    if (newTime === undefined) report(comparison, into(at, item), 'the row is gone', 'Keep the row.')
    else if (newTime !== time && !(seconds(newTime) >= seconds(time!)))
      report(
        comparison,
        into(at, item),
        `it was ${time} and is ${newTime}`,
        'Keep at least the published time.',
      )
    else if (newUses !== uses)
      report(
        comparison,
        into(at, item),
        `its uses were "${uses}" and are "${newUses}"`,
        'Keep the published uses.',
      )
  }
}

function lifetimesOf(document: Json): Record<string, string[]> | undefined {
  const [, rows] = TABLE.exec(String(asObject(document.info).description)) ?? []
  const cells = rows
    ?.trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  return cells && Object.fromEntries(cells.map(([item, ...values]) => [item!, values]))
}

/** `3,600 s` as a number. NaN for another form, which then counts as shorter. */
function seconds(time: string): number {
  const [, amount, unit] = /^([\d,]+) (s|min|h|d)$/.exec(time) ?? []
  return Number(amount?.replaceAll(',', '')) * UNITS[unit ?? '']!
}
