export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * The median of the ratios of each round. Both contenders run in each round, one after the other, so what
 * slows the machine slows both.
 */
export const medianRatio = (values: readonly number[], baseline: readonly number[]): number =>
  median(values.map((value, round) => value / baseline[round]!))
