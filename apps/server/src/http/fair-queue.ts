// The requests that wait for a slot. Each caller has its own queues, and a free slot goes to the waiting caller with the fewest in-flight
// requests; among equals, to the one that has waited longest for its turn. So no caller holds more than its share while others wait, and
// a caller that is alone may use every slot.
//
// Example: 4 slots, all held by A, and A has 300 more requests waiting. B sends 3 requests. The next two free slots go to B (0 and 1 in
// flight against A's 3 and 2), the following ones to A and B in turn.
//
// Callers that are not known (`Claim`) are a group of their own: while known callers wait, they get a quarter of the slots and at most
// every other free one, and they may fill a quarter of the queue. One address is one such caller, even if it claims many codes.
import type { Claim } from '../authentication/claims.ts'

const UNKNOWN_SHARE = 1 / 4
/** Callers that are idle are kept, so that few objects are made, until there are this many. */
const MAX_IDLE_CALLERS = 1_000

export interface Queued<T> {
  caller: Caller<T>
  /** The queue in which it waits. */
  queue: T[] | undefined
}

export type Caller<T> = {
  readonly group: Group<T>
  inFlight: number
  /** Requests that wait for their first slot, and requests that gave a slot back and want it again. They take turns. */
  readonly newcomers: T[]
  readonly returning: T[]
  isReturnersTurn: boolean
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
    const found = this.#callers.get(name)
    if (found) return found
    if (this.#callers.size >= this.#pruneAt) this.#prune()
    const group = isKnown ? this.#known : this.#unknown
    const caller: Caller<T> = { group, inFlight: 0, newcomers: [], returning: [], isReturnersTurn: false }
    this.#callers.set(name, caller)
    return caller
  }

  #prune(): void {
    for (const [name, { inFlight, newcomers, returning }] of this.#callers)
      if (inFlight + newcomers.length + returning.length === 0) this.#callers.delete(name)
    this.#pruneAt = Math.max(MAX_IDLE_CALLERS, 2 * this.#callers.size)
  }

  /** A request of this caller got a slot (1), or gave it back (-1). */
  count(caller: Caller<T>, change: 1 | -1): void {
    caller.inFlight += change
    caller.group.inFlight += change
  }

  add(request: T, kind: 'newcomers' | 'returning'): void {
    const { caller } = request
    if (caller.newcomers.length + caller.returning.length === 0) caller.group.waiting.push(caller)
    if (kind === 'newcomers') caller.group.newcomers++
    request.queue = caller[kind]
    request.queue.push(request)
  }

  /** False: it does not wait. */
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

  /** Takes out the request that gets the next slot. `limit`: how many slots there are; `ofCaller`: how many of them one caller may hold. */
  next(limit: number, ofCaller: number): T | undefined {
    const isUnknownsTurn = this.#lastServed !== this.#unknown && this.#unknown.inFlight < limit * UNKNOWN_SHARE
    const candidates = [fewestInFlight(this.#known.waiting), fewestInFlight(this.#unknown.waiting)]
    if (isUnknownsTurn) candidates.reverse()
    const caller = candidates.find((candidate) => candidate && candidate.inFlight < ofCaller)
    if (!caller) return undefined
    const { group } = caller
    this.#lastServed = group
    caller.isReturnersTurn = !caller.isReturnersTurn
    const [request] = (caller.isReturnersTurn && caller.returning.length) || !caller.newcomers.length ? caller.returning : caller.newcomers
    this.remove(request!)
    // To the end of the line of callers.
    const index = group.waiting.indexOf(caller)
    if (index >= 0) group.waiting.push(...group.waiting.splice(index, 1))
    return request
  }

  /** The queue is full and a request of this caller arrives: the caller whose last newcomer is refused, which may be the same one. */
  longest(arriving: Caller<T>, maxQueued: number): Caller<T> {
    const unknown = this.#unknown.newcomers + (arriving.group === this.#unknown ? 1 : 0)
    const group = unknown > maxQueued * UNKNOWN_SHARE ? this.#unknown : this.#known
    let [longest, length] = [arriving, arriving.group === group ? arriving.newcomers.length + 1 : 0]
    for (const caller of group.waiting) if (caller.newcomers.length > length) [longest, length] = [caller, caller.newcomers.length]
    return longest
  }

  /** Hands a request to another caller, and those that wait behind it and are the same caller's. `inFlight`: it holds a slot. */
  move(request: T, to: Caller<T>, inFlight: boolean, isSame: (other: T) => boolean): void {
    const { caller: from } = request
    if (from === to) return
    if (inFlight) this.count(from, -1)
    if (inFlight) this.count(to, 1)
    request.caller = to
    for (const other of from.newcomers.filter(isSame)) {
      this.remove(other)
      other.caller = to
      this.add(other, 'newcomers')
    }
  }

  /** Those whose time is over. */
  overdue(isOver: (request: T) => boolean): T[] {
    return [this.#known, this.#unknown].flatMap(({ waiting }) =>
      waiting.flatMap(({ newcomers, returning }) => [...newcomers.filter(isOver), ...returning.filter(isOver)]),
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
