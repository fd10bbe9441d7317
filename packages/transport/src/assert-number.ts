/** Refuses also NaN, with which every comparison is false, and a text, to which `+` would append. */
export function assertNumber(name: string, value: unknown, least: number, greatest: number = Infinity): void {
  if (typeof value !== 'number' || !(value >= least && value <= greatest))
    throw new TypeError(`${name} must be a number from ${least} to ${greatest}.`)
}
