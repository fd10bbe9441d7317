// The set of requests that are in flight. Adding and deleting take constant time: each request stores its own
// index in the array, and the last request takes the place of a deleted one, so the order changes.
//
// Example: [A, B, C]. Deleting A moves C to index 0: [C, B].
//
// Why not a `Set`: when entries are added and deleted all the time, V8 replaces the table of a Set now and
// then. Each old table refers to the next one and keeps deleted entries in memory until the next full garbage
// collection. With requests as entries, this cost a sixth of the processor's time (`PERFORMANCE.md`;
// `test/http/process/in-flight-requests.test.ts` measures it).
//
// Guarantee: the set keeps no reference to a deleted request.

/**
 * `inFlightIndex` belongs to `InFlightRequests`: its index in the array, or `undefined` outside of the set.
 */
export type InFlightRequest = { inFlightIndex?: number | undefined }

export class InFlightRequests<Request extends InFlightRequest> {
  readonly #requests: Request[] = []

  get size(): number {
    return this.#requests.length
  }

  add(request: Request): void {
    request.inFlightIndex = this.#requests.push(request) - 1
  }

  /** Returns false if the request is not in the set. */
  delete(request: Request): boolean {
    const { inFlightIndex } = request
    if (inFlightIndex === undefined) return false
    request.inFlightIndex = undefined
    const last = this.#requests.pop()!
    if (last === request) return true
    this.#requests[inFlightIndex] = last
    last.inFlightIndex = inFlightIndex
    return true
  }

  /** A copy, so that requests can be deleted during an iteration. */
  toArray(): Request[] {
    return [...this.#requests]
  }
}
