/**
 * Limits how many streams or waiting requests of one key (a citizen, partner or record) are open at once in
 * this process.
 */
export class ConcurrencyCap {
  readonly #max: number
  readonly #open = new Map<string | number, number>()

  constructor(max: number) {
    this.#max = max
  }

  /**
   * Returns a function that closes it, which may be called more than once; `undefined` if the limit is
   * reached.
   */
  open(key: string | number): (() => void) | undefined {
    const open = this.#open.get(key) ?? 0
    if (open >= this.#max) return undefined
    this.#open.set(key, open + 1)
    let isClosed = false
    return () => {
      if (isClosed) return
      isClosed = true
      const left = this.#open.get(key)! - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
    }
  }
}

type Limits = { streamsPerCitizen: number; waitsPerPartner: number; waitsPerRecord: number }

export type ConcurrencyCaps = ReturnType<typeof createCaps>

/**
 * How many requests of a partner may wait until a diagnosis is written. Further ones get their response
 * without the wait.
 */
const PAUSES_PER_PARTNER = 10

export const createCaps = ({ streamsPerCitizen, waitsPerPartner, waitsPerRecord }: Limits) => ({
  streamsOfCitizen: new ConcurrencyCap(streamsPerCitizen),
  waitsOfPartner: new ConcurrencyCap(waitsPerPartner),
  waitsOfRecord: new ConcurrencyCap(waitsPerRecord),
  pausesOfPartner: new ConcurrencyCap(PAUSES_PER_PARTNER),
})
