import { randomBytes } from 'node:crypto'
import { startPollLoop } from '../../background/poll-loop.ts'
import { readClock } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Service } from '../../operation.ts'
import type { KeyRing } from '../../secrets/key-ring.ts'
import { hashCheckpoint, MOST_LEAVES, readStatement, signCheckpoint } from '../checkpoint.ts'
import { type SealableRow, toLeaf } from '../leaf.ts'
import { hashLeaf, rootOf } from '../merkle.ts'
import { countUnsealed, findLatest, insertCheckpoint, lockSealing, type Place, readUnsealed } from './store.ts'

const SEAL_EVERY_MS = 1_000
/**
 * Events are read and hashed so many at a time: requests wait for no more of it, nor does a slow line carry more at once. A power of two:
 * the root of each such page is a node of the whole tree (RFC 6962, section 2.1), whose root is that of theirs.
 */
const PAGE_ROWS = 256
const MOST_PAGES = Math.floor(MOST_LEAVES / PAGE_ROWS)

/** Seals what has been committed, off everybody's path. Any number of processes may; one does at a time. */
export function startSealer(service: Service): { stop(): Promise<void> } {
  const loop = startPollLoop(SEAL_EVERY_MS, () =>
    sealNext(service).catch((error: unknown) => {
      service.log.warn({ name: error instanceof Error ? error.name : 'unknown' }, 'sealing the audit was interrupted')
      return false
    }),
  )
  return { stop: loop.end }
}

/** Makes the next checkpoint, if there is anything to seal; returns whether there is likely more. */
async function sealNext({ db, keys, log }: Service): Promise<boolean> {
  // Where nothing happens, no transaction is opened.
  if (!(await countUnsealed(db, (await findLatest(db))?.sealed_until, 1))) return false
  const sealed = await db.transaction().execute((tx) => sealInTransaction(tx, keys))
  if (!sealed) return false
  // Only once it is committed. A log archive that the service cannot change then proves that no newest checkpoint was cut off.
  log.info({ checkpoint: sealed.checkpoint, root: sealed.root }, 'an audit checkpoint was sealed')
  return sealed.isFull
}

type Sealed = { checkpoint: number; root: string; isFull: boolean }

/** `undefined`: another process is sealing, or everything is sealed. */
async function sealInTransaction(tx: Database, keys: KeyRing): Promise<Sealed | undefined> {
  if (!(await lockSealing(tx))) return undefined
  const latest = await findLatest(tx)
  const salt = randomBytes(16).toString('base64url')
  const { leaves, roots, newestAt } = await hashUnsealed(tx, latest?.sealed_until, salt)
  if (leaves.length === 0) return undefined
  const before = latest && readStatement(latest)
  const number = (before?.checkpoint ?? 0) + 1
  const first_position = (before?.last_position ?? 0) + 1
  const root = rootOf(roots).toString('base64url')
  const signed = signCheckpoint(keys, {
    checkpoint: number,
    first_position,
    last_position: first_position + leaves.length - 1,
    latest_event_at: before && before.latest_event_at > newestAt ? before.latest_event_at : newestAt,
    previous_hash: latest ? hashCheckpoint(latest) : null,
    root,
    sealed_at: (await readClock(tx)).toISOString(),
  })
  await insertCheckpoint(tx, { ...signed, number, salt, leaves })
  return { checkpoint: number, root, isFull: roots.length === MOST_PAGES }
}

/** The leaves of what is to be sealed next, in their order, and the roots of their pages. */
async function hashUnsealed(tx: Database, after: Place | null | undefined, salt: string) {
  const leaves: { id: number; hash: string }[] = []
  const roots: Buffer[] = []
  let newestAt = ''
  let rows: SealableRow[]
  do {
    rows = await readUnsealed(tx, after, PAGE_ROWS)
    if (rows.length === 0) break
    const hashes = rows.map((row) => hashLeaf(toLeaf(row, salt)))
    for (const [index, { id, occurred_at }] of rows.entries()) {
      leaves.push({ id, hash: hashes[index]!.toString('base64url') })
      if (occurred_at > newestAt) newestAt = occurred_at
    }
    roots.push(rootOf(hashes))
    after = rows.at(-1)
  } while (rows.length === PAGE_ROWS && roots.length < MOST_PAGES)
  return { leaves, roots, newestAt }
}
