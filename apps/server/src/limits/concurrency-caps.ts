/** How many of something may be open at once for one caller or record, in this process. */
export class ConcurrencyCap {
  readonly #most: number
  readonly #open = new Map<string | number, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Returns the function that closes it again, which may be called more than once; `undefined` if the most are open. */
  open(key: string | number): (() => void) | undefined {
    const open = this.#open.get(key) ?? 0
    if (open >= this.#most) return undefined
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

/** Requests of a partner for a diagnosis that wait until it is written. Beyond, a request is answered without the wait. */
const PAUSES_PER_PARTNER = 10

export const createCaps = ({ streamsPerCitizen, waitsPerPartner, waitsPerRecord }: Limits) => ({
  streamsOfCitizen: new ConcurrencyCap(streamsPerCitizen),
  waitsOfPartner: new ConcurrencyCap(waitsPerPartner),
  waitsOfRecord: new ConcurrencyCap(waitsPerRecord),
  pausesOfPartner: new ConcurrencyCap(PAUSES_PER_PARTNER),
})
