import { expect } from 'vitest'

/** Fails with what was found, and where, in the first line of the message. */
export function expectNone(found: readonly unknown[]): void {
  const shown = found.slice(0, 3).map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  expect(found, `${found.length} found: ${shown.join(' | ')}`).toEqual([])
}
