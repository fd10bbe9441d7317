// The sealer puts every committed audit event under a signed checkpoint, so that a later change of the table
// can be detected.
//
// Once a second each process looks for events without a leaf. If there are any, one process takes the sealing
// lock and, in one transaction, reads the events in their fixed order (transaction id, event id), hashes each
// into a leaf, builds the Merkle tree, signs its root together with the hash of the previous checkpoint, and
// inserts the checkpoint and its leaves.
//
// States of an event: written (no leaf), then sealed (one leaf under exactly one checkpoint). It never goes
// back.
//
// Example: events 1 to 3 are committed. The sealer writes checkpoint 8 with positions 101 to 103. Event 4 is
// committed meanwhile and gets position 104 under checkpoint 9, which contains the hash of checkpoint 8.
//
// Guarantees: any number of processes may run the sealer, but only one seals at a time. Positions have no
// gap. An event is sealed only when no running transaction could still insert an event before it. No request
// waits for sealing.
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { startPollLoop } from '../../background/poll-loop.ts'
import { readClock } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { describeError } from '../../describe-error.ts'
import { sealedEvents } from '../../metrics/registry.ts'
import type { Service } from '../../operation.ts'
import type { KeyRing } from '../../secrets/key-ring.ts'
import { hashCheckpoint, MAX_LEAVES, readStatement, signCheckpoint } from '../checkpoints/checkpoint.ts'
import { toLeaf } from '../leaf.ts'
import { hashLeaf, rootOf } from '../merkle.ts'
import { TOLERANCE_MS } from '../verify-audit/check-leaves.ts'
import {
  countUnsealed,
  findLatest,
  fromIdOf,
  hasEarlierMonth,
  insertCheckpoint,
  lockSealing,
  readUnsealed,
  type SealedUntil,
} from './sealing.sql.ts'

const SEAL_EVERY_MS = 1_000
/**
 * Events are read and hashed in pages of this size, so that requests of the same process wait for one page at
 * most and a slow database connection never carries more at once. It is a power of two, so the root of each
 * page is a node of the whole tree (RFC 6962, section 2.1), and the root of the page roots is the root of the
 * tree.
 */
const PAGE_ROWS = 256
const MAX_PAGES = Math.floor(MAX_LEAVES / PAGE_ROWS)

export function startSealer({ log, ...service }: Service): { stop(): Promise<void> } {
  // The proof that no checkpoint was removed must not depend on how much else is logged.
  const proof = log.level === 'silent' ? log : log.child({}, { level: 'info' })
  const loop = startPollLoop(SEAL_EVERY_MS, () =>
    sealNext(service, proof).catch((error: unknown) => {
      log.warn(describeError(error), 'the audit could not be sealed; the next attempt is in a second')
      return false
    }),
  )
  return { stop: loop.end }
}

/** Writes the next checkpoint if there is anything to seal; returns whether there is probably more. */
async function sealNext({ db, keys }: Pick<Service, 'db' | 'keys'>, proof: Logger): Promise<boolean> {
  // An idle service opens no transaction.
  if (!(await countUnsealed(db, (await findLatest(db))?.sealed_until, 1))) return false
  const sealed = await db.transaction().execute((tx) => sealInTransaction(tx, keys))
  if (!sealed) return false
  // Logged only after the commit. A log archive that the service cannot change then proves that no newest
  // checkpoint was removed.
  proof.info({ checkpoint: sealed.checkpoint, root: sealed.root }, 'an audit checkpoint was sealed')
  for (const kind of sealed.kinds) sealedEvents.inc({ kind })
  return sealed.isFull
}

type Sealed = { checkpoint: number; root: string; isFull: boolean; kinds: string[] }

/** `undefined`: another process is sealing, or everything is sealed. */
async function sealInTransaction(tx: Database, keys: KeyRing): Promise<Sealed | undefined> {
  if (!(await lockSealing(tx))) return undefined
  const latest = await findLatest(tx)
  const salt = randomBytes(16).toString('base64url')
  let after = latest?.sealed_until
  if (after && (await hasEarlierMonth(tx, after))) after = { ...after, from_id: 0 }
  const { leaves, roots, newestAt, kinds } = await hashUnsealed(tx, after, salt)
  if (leaves.length === 0) return undefined
  const before = latest && readStatement(latest)
  const number = (before?.checkpoint ?? 0) + 1
  const first_position = (before?.last_position ?? 0) + 1
  const root = rootOf(roots).toString('base64url')
  const now = await readClock(tx)
  const signed = signCheckpoint(keys, {
    checkpoint: number,
    first_position,
    last_position: first_position + leaves.length - 1,
    latest_event_at: latestOf(before?.latest_event_at, newestAt, now),
    previous_hash: latest ? hashCheckpoint(latest) : null,
    root,
    sealed_at: now.toISOString(),
  })
  await insertCheckpoint(tx, { ...signed, number, salt, leaves })
  return { checkpoint: number, root, isFull: roots.length === MAX_PAGES, kinds }
}

/** The later time. The clock was wrong if `before` has not come yet, so it does not count any more. */
const latestOf = (before: string | undefined, newest: string, now: Date): string =>
  before !== undefined && before > newest && Date.parse(before) <= now.getTime() + TOLERANCE_MS
    ? before
    : newest

/** The leaves of the events to seal next, in order, and the root of each page. */
async function hashUnsealed(tx: Database, after: SealedUntil | null | undefined, salt: string) {
  const leaves: { id: number; hash: string }[] = []
  const roots: Buffer[] = []
  const kinds: string[] = []
  let newestAt = ''
  let rows: Awaited<ReturnType<typeof readUnsealed>>
  do {
    rows = await readUnsealed(tx, after, PAGE_ROWS)
    if (rows.length === 0) break
    const hashes = rows.map((row) => hashLeaf(toLeaf(row, salt)))
    for (const [index, { id, occurred_at, kind }] of rows.entries()) {
      leaves.push({ id, hash: hashes[index]!.toString('base64url') })
      kinds.push(kind)
      if (occurred_at > newestAt) newestAt = occurred_at
    }
    roots.push(rootOf(hashes))
    after = { ...rows.at(-1)!, ...(after && { from_id: fromIdOf(after) }) }
  } while (rows.length === PAGE_ROWS && roots.length < MAX_PAGES)
  return { leaves, roots, newestAt, kinds }
}
