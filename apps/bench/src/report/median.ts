export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of the ratios of each round, in which both ran one after the other: what slows the machine slows both. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((value, round) => value / theirs[round]!))
