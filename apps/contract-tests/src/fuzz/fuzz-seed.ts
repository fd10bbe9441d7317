/** A failed property prints its seed and its path. These settings repeat it, and nothing else. */
const seed = process.env['TIWALA_FUZZ_SEED']
const path = process.env['TIWALA_FUZZ_PATH']

export const FUZZ_SEED = Number(seed ?? 20_261_123)

/** The parameters of a property (fast-check). */
export const runs = (numRuns: number) => ({ seed: FUZZ_SEED, numRuns, ...(path && { path }) })
