// Hides small numbers of citizens: no number from 1 to 4 is shown, and no sum of hidden numbers that follows from the
// shown ones is below 5.
//
// Example: of 104 requests, 100 were accepted, 4 declined and none expired. The 4 is hidden. It would follow from the total, so
// others are hidden, the smallest first, until the hidden ones are two or more and make 5 or more: here all three.

/** The smallest number of citizens that is shown, other than 0. */
export const SMALLEST_SHOWN = 5

/** The numbers, of which the sum is known to the reader, with null for each hidden one. */
export function hideSmall<Name extends string>(numbers: Record<Name, number>): Record<Name, number | null> {
  const ascending = (Object.entries(numbers) as [Name, number][]).toSorted(([, a], [, b]) => a - b)
  const isSmall = ([, number]: [Name, number]) => number > 0 && number < SMALLEST_SHOWN
  const hidden = ascending.filter(isSmall)
  const others = ascending.filter((each) => !isSmall(each))
  const hiddenSum = () => hidden.reduce((sum, [, number]) => sum + number, 0)
  while (hidden.length > 0 && others.length > 0 && (hidden.length < 2 || hiddenSum() < SMALLEST_SHOWN))
    hidden.push(others.shift()!)
  const names = new Set(hidden.map(([name]) => name))
  return Object.fromEntries(
    ascending.map(([name, number]) => [name, names.has(name) ? null : number]),
  ) as Record<Name, number | null>
}
