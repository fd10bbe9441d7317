// The part of an audit export that was sealed in a range of time: whole checkpoints with all their events, so that each root
// can be computed. Only whole checkpoints can be verified. The ranges January and February, one file after the other, are one export.
//
// The console uses this, too: it needs no Node.
import type { OperatorOperations, Schemas, Success } from '@tiwala/contract'
import type { Transport } from '@tiwala/transport'

/**
 * One line of an audit export. The keys, checkpoints and events are all that an independent verification
 * needs.
 */
export type AuditEntry =
  | { key: Schemas['AuditKey'] }
  | { checkpoint: Schemas['AuditCheckpoint'] }
  | { event: Schemas['AuditEvent'] }
  /**
   * The end of what one command wrote, and the newest checkpoint of it. Another part may follow. An export of an earlier
   * version has no signature.
   */
  | { end: { checkpoint: number; signature?: string | undefined } }

type Call = Transport<OperatorOperations>
/** `events`: how many events the checkpoints seal. */
export type AuditRange = { first: number; last: number; events: number }

const PAGE = 1_000

/** The checkpoints that were sealed at or after `from`, and before `to`. `undefined`: none. */
export async function findRange(
  call: Call,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<AuditRange | undefined> {
  const next = ((await call('listAuditKeys', {})).body.latest_checkpoint ?? 0) + 1
  const read = async (checkpoint: number) => (await call('readCheckpoint', { path: { checkpoint } })).body
  /** The first checkpoint that was not sealed before this time. A later checkpoint was never sealed earlier. */
  async function findFirst(time: string): Promise<number> {
    let [low, high] = [1, next]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (Date.parse((await read(middle)).sealed_at) < Date.parse(time)) low = middle + 1
      else high = middle
    }
    return low
  }
  const first = from === undefined ? 1 : await findFirst(from)
  const last = (to === undefined ? next : await findFirst(to)) - 1
  if (first > last) return undefined
  return { first, last, events: (await read(last)).last_position - (await read(first)).first_position + 1 }
}

/** As `fetchEntries`: the keys, the checkpoints newest first, and their events, also those of archived months. */
export async function* fetchRange(
  call: Call,
  { first, last }: Pick<AuditRange, 'first' | 'last'>,
): AsyncGenerator<AuditEntry> {
  for (const key of (await call('listAuditKeys', {})).body.keys) yield { key }
  const numbers: number[] = []
  let signature: string | undefined
  for (let before = last + 1; before > first;) {
    const query = { cursor: String(before), limit: Math.min(PAGE, before - first) }
    const { checkpoints } = (await call('listCheckpoints', { query })).body
    signature ??= checkpoints[0]?.signature
    for (const checkpoint of checkpoints) yield { checkpoint }
    numbers.push(...checkpoints.map(({ checkpoint }) => checkpoint))
    before = checkpoints.at(-1)?.checkpoint ?? first
  }
  for (const checkpoint of numbers)
    for await (const event of findEvents(call, { checkpoint })) yield { event }
  yield { end: { checkpoint: last, signature } }
}

/** The events that meet the filter, newest first. */
export async function* findEvents(
  call: Call,
  filter: { checkpoint?: number } | Record<string, string>,
): AsyncGenerator<Schemas['AuditEvent']> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...filter, limit: PAGE, ...(cursor !== undefined && { cursor }) }
    const { body }: { body: Success<'listAuditEvents'> } = await call('listAuditEvents', { query })
    yield* body.events
    cursor = body.next_cursor
  }
}
