/**
 * Limits how many streams or waiting requests of one key (a citizen, partner, record, sign-in or address) are open at
 * once in this process.
 */
export class ConcurrencyCap {
  readonly #max: number
  readonly #acquired = new Map<string | number, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** Returns the release function, which may be called more than once; `undefined`: limit reached. */
  acquire(key: string | number): (() => void) | undefined {
    const acquired = this.#acquired.get(key) ?? 0
    if (acquired >= this.#max) return undefined
    this.#acquired.set(key, acquired + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const left = this.#acquired.get(key)! - 1
      if (left > 0) this.#acquired.set(key, left)
      else this.#acquired.delete(key)
    }
  }
}

/** A proof reads all leaves of a checkpoint and hashes them again. */
const PROOFS_PER_CITIZEN = 4

type Limits = { streamsPerCitizen: number; waitsPerPartner: number; waitsPerRecord: number }

export type ConcurrencyCaps = ReturnType<typeof createConcurrencyCaps>

/**
 * How many requests of a partner may wait until a diagnosis is written. Further ones get their response
 * without the wait.
 */
const DIAGNOSIS_WAITS_PER_PARTNER = 10

/** How many pages of a sign-in may be open, for example in several tabs. Further ones poll. */
const PAGES_PER_SIGN_IN = 5
/** Many citizens can share the address of a mobile network. */
const PAGES_PER_ADDRESS = 500

export const createConcurrencyCaps = ({ streamsPerCitizen, waitsPerPartner, waitsPerRecord }: Limits) => ({
  streamsOfCitizen: new ConcurrencyCap(streamsPerCitizen),
  waitsOfPartner: new ConcurrencyCap(waitsPerPartner),
  waitsOfRecord: new ConcurrencyCap(waitsPerRecord),
  diagnosisWaitsOfPartner: new ConcurrencyCap(DIAGNOSIS_WAITS_PER_PARTNER),
  pagesOfSignIn: new ConcurrencyCap(PAGES_PER_SIGN_IN),
  pagesOfAddress: new ConcurrencyCap(PAGES_PER_ADDRESS),
  proofsOfCitizen: new ConcurrencyCap(PROOFS_PER_CITIZEN),
})
