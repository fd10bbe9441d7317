// What the processes of the service know of the keys. Each has read its own ring, so two can differ while a ring is changed.
import type { Schemas } from '@tiwala/contract'

type Key = Schemas['Key']
type Process = Pick<Schemas['FleetProcess'], 'process_id' | 'keys'>

/** A key of any ring, with the ids of the processes that lack it, and of those that use it for new data. */
export type RingKey = {
  purpose: string
  kid: string
  /** Of the process that answered. Undefined: only others have the key. */
  own: Key | undefined
  lackedBy: string[]
  currentAt: string[]
}

/** All keys, by purpose, those of the process that answered first. `processes`: those that run. */
export function joinRings(keys: Key[], processes: Process[]): RingKey[] {
  const all = new Map<string, { purpose: string; kid: string; own?: Key }>(
    keys.map((own) => [own.kid, { purpose: own.purpose, kid: own.kid, own }]),
  )
  for (const { purpose, kid } of processes.flatMap((process) => process.keys))
    if (!all.has(kid)) all.set(kid, { purpose, kid })
  const purposes = [...new Set([...all.values()].map(({ purpose }) => purpose))]
  const idsOf = (has: (process: Process) => boolean) =>
    processes.filter(has).map(({ process_id }) => process_id)
  return [...all.values()]
    .toSorted((a, b) => purposes.indexOf(a.purpose) - purposes.indexOf(b.purpose))
    .map(({ purpose, kid, own }) => ({
      purpose,
      kid,
      own,
      lackedBy: idsOf((process) => !process.keys.some((key) => key.kid === kid)),
      currentAt: idsOf((process) => process.keys.some((key) => key.kid === kid && key.is_current)),
    }))
}

/** A sentence, and the keys that it counts. */
export type Difference = { text: string; keys: string[] }

/** What the processes disagree about. */
export function findDifferences(rings: RingKey[]): Difference[] {
  const lacking = [...new Set(rings.flatMap(({ lackedBy }) => lackedBy))].map((id) => {
    const keys = rings.filter(({ lackedBy }) => lackedBy.includes(id))
    return {
      text: `Process ${id} lacks ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`,
      keys: keys.map(({ purpose, kid }) => `${purpose} ${kid}`),
    }
  })
  const disputed = Object.entries(Object.groupBy(rings, ({ purpose }) => purpose))
    .map(([purpose, ofPurpose = []]) => ({ purpose, current: ofPurpose.filter(isCurrentAnywhere) }))
    .filter(({ current }) => current.length > 1)
    .map(({ purpose, current }) => {
      const places = current.map(
        ({ kid, currentAt }) => `${kid} at ${currentAt.join(', ') || 'the process that answers'}`,
      )
      return { text: `The current key of ${purpose} is ${places.join(', and ')}.`, keys: [] }
    })
  return [...lacking, ...disputed]
}

const isCurrentAnywhere = ({ own, currentAt }: RingKey) => own?.is_current === true || currentAt.length > 0

export const isFuture = (at: string | null): boolean => at !== null && Date.parse(at) > Date.now()

/**
 * Whether nothing that this page knows needs the key. `keys.js remove` asks the database again. Without the processes, the page does
 * not know their rings.
 */
export const isRemovable = (ring: RingKey, processes: Process[]): boolean =>
  processes.length > 0 &&
  ring.own?.in_use === 0 &&
  !isCurrentAnywhere(ring) &&
  !isFuture(ring.own.active_from)
