/** The id or number at which a page of events or checkpoints ends. A tampered id may be negative. */
export function locateNumber(cursor: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(cursor) ? Number(cursor) : NaN
  return Number.isSafeInteger(number) ? number : undefined
}
