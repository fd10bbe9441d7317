// The fair queue: the requests that wait for a slot. Each caller has two queues: `newcomers` (requests that
// wait for their first slot) and `returning` (requests that released a slot and want one again). The two take
// turns. A free slot goes to the waiting caller with the fewest requests in flight; if several have as few,
// to the one that has waited longest for its turn.
//
// Example: 4 slots, all held by A, and A has 300 more requests waiting. B sends 4 requests. A releases two
// slots, and both go to B (0 and 1 in flight, compared with A's 3 and 2). Now each holds two slots. From then
// on, a slot that A releases goes to A, and a slot that B releases goes to B.
//
// Callers that are not known (`Claim`) form a group of their own. While known callers wait, this group gets a
// quarter of the slots and at most every other free slot. It may fill a quarter of the queue. One address is
// one such caller, even if it claims many codes.
//
// Guarantees: a free slot never goes to a caller while another caller of its group waits with fewer requests
// in flight. So the share of each of N waiting callers of a group is one Nth of the slots of the group. A
// caller that is alone may use every slot. A request that waits is in exactly one queue.
import type { Claim } from '../authentication/claims.ts'

const UNKNOWN_SHARE = 1 / 4
/** Idle callers are kept up to this number, so that fewer objects are created. */
const MAX_IDLE_CALLERS = 1_000

export interface Queued<T> {
  caller: Caller<T>
  /** The queue in which it waits; `undefined` if it does not wait. */
  queue: T[] | undefined
}

export type Caller<T> = {
  readonly group: Group<T>
  inFlight: number
  readonly newcomers: T[]
  readonly returning: T[]
  isReturningTurn: boolean
}

type Group<T> = { inFlight: number; newcomers: number; readonly waiting: Caller<T>[] }

export class FairQueue<T extends Queued<T>> {
  readonly #known: Group<T> = { inFlight: 0, newcomers: 0, waiting: [] }
  readonly #unknown: Group<T> = { inFlight: 0, newcomers: 0, waiting: [] }
  readonly #callers = new Map<string, Caller<T>>()
  #pruneAt = MAX_IDLE_CALLERS
  #lastServed: Group<T> = this.#known

  get newcomers(): number {
    return this.#known.newcomers + this.#unknown.newcomers
  }

  get isEmpty(): boolean {
    return this.#known.waiting.length + this.#unknown.waiting.length === 0
  }

  callerOf({ caller: name, isKnown }: Claim): Caller<T> {
    const existing = this.#callers.get(name)
    if (existing) return existing
    if (this.#callers.size >= this.#pruneAt) this.#prune()
    const group = isKnown ? this.#known : this.#unknown
    const caller: Caller<T> = { group, inFlight: 0, newcomers: [], returning: [], isReturningTurn: false }
    this.#callers.set(name, caller)
    return caller
  }

  #prune(): void {
    for (const [name, { inFlight, newcomers, returning }] of this.#callers)
      if (inFlight + newcomers.length + returning.length === 0) this.#callers.delete(name)
    this.#pruneAt = Math.max(MAX_IDLE_CALLERS, 2 * this.#callers.size)
  }

  /** A request of this caller got a slot. */
  addInFlight(caller: Caller<T>): void {
    caller.inFlight++
    caller.group.inFlight++
  }

  /** A request of this caller released its slot. */
  removeInFlight(caller: Caller<T>): void {
    caller.inFlight--
    caller.group.inFlight--
  }

  add(request: T, kind: 'newcomers' | 'returning'): void {
    const { caller } = request
    if (caller.newcomers.length + caller.returning.length === 0) caller.group.waiting.push(caller)
    if (kind === 'newcomers') caller.group.newcomers++
    request.queue = caller[kind]
    request.queue.push(request)
  }

  /** Returns false if the request does not wait. */
  remove(request: T): boolean {
    const { caller, queue } = request
    if (!queue) return false
    queue.splice(queue.indexOf(request), 1)
    request.queue = undefined
    if (queue === caller.newcomers) caller.group.newcomers--
    const { waiting } = caller.group
    if (caller.newcomers.length + caller.returning.length === 0) waiting.splice(waiting.indexOf(caller), 1)
    return true
  }

  /**
   * Removes and returns the request that gets the next slot. `limit`: all slots; `maxPerCaller`: slots of one
   * caller.
   */
  next(limit: number, maxPerCaller: number): T | undefined {
    const isUnknownTurn = this.#lastServed !== this.#unknown && this.#unknown.inFlight < limit * UNKNOWN_SHARE
    const candidates = [fewestInFlight(this.#known.waiting), fewestInFlight(this.#unknown.waiting)]
    if (isUnknownTurn) candidates.reverse()
    const caller = candidates.find((candidate) => candidate && candidate.inFlight < maxPerCaller)
    if (!caller) return undefined
    const { group } = caller
    this.#lastServed = group
    caller.isReturningTurn = !caller.isReturningTurn
    const [request] =
      (caller.isReturningTurn && caller.returning.length) || !caller.newcomers.length
        ? caller.returning
        : caller.newcomers
    this.remove(request!)
    // Move the caller to the end: it has had its turn.
    const index = group.waiting.indexOf(caller)
    if (index >= 0) group.waiting.push(...group.waiting.splice(index, 1))
    return request
  }

  /**
   * The caller with the longest queue if one more request of `arriving` is added. It may be `arriving`
   * itself.
   */
  callerWithLongestQueue(arriving: Caller<T>, maxQueued: number): Caller<T> {
    const unknown = this.#unknown.newcomers + (arriving.group === this.#unknown ? 1 : 0)
    const group = unknown > maxQueued * UNKNOWN_SHARE ? this.#unknown : this.#known
    let [longest, length] = [arriving, arriving.group === group ? arriving.newcomers.length + 1 : 0]
    for (const caller of group.waiting)
      if (caller.newcomers.length > length) [longest, length] = [caller, caller.newcomers.length]
    return longest
  }

  /**
   * Counts a request as another caller's, and also the waiting newcomers for which `isSame` is true. Called
   * when the caller of the request is authenticated. `isInFlight`: the request holds a slot.
   */
  move(request: T, to: Caller<T>, isInFlight: boolean, isSame: (other: T) => boolean): void {
    const { caller: from } = request
    if (from === to) return
    if (isInFlight) this.removeInFlight(from)
    if (isInFlight) this.addInFlight(to)
    request.caller = to
    for (const other of from.newcomers.filter(isSame)) {
      this.remove(other)
      other.caller = to
      this.add(other, 'newcomers')
    }
  }

  waitingWhere(predicate: (request: T) => boolean): T[] {
    return [this.#known, this.#unknown].flatMap(({ waiting }) =>
      waiting.flatMap(({ newcomers, returning }) => [
        ...newcomers.filter(predicate),
        ...returning.filter(predicate),
      ]),
    )
  }
}

function fewestInFlight<T>(callers: readonly Caller<T>[]): Caller<T> | undefined {
  let best = callers[0]
  for (const caller of callers) {
    if (best!.inFlight === 0) break
    if (caller.inFlight < best!.inFlight) best = caller
  }
  return best
}
