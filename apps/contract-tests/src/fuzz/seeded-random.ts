/** Mulberry32: the same seed gives the same sequence. */
export function createRandom(seed: number) {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    among: <T>(choices: readonly T[]): T => choices[below(choices.length)]!,
    chance: (share: number) => next() < share,
  }
}

export type Random = ReturnType<typeof createRandom>
