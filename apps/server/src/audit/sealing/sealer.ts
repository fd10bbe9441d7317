import { randomBytes } from 'node:crypto'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { readClock } from '../../database/clock.ts'
import { startLoop } from '../../loop.ts'
import type { Service } from '../../operation.ts'
import { hashCheckpoint, readStatement, signCheckpoint } from '../checkpoint.ts'
import { type SealableRow, toLeaf } from '../leaf.ts'
import { hashLeaf, rootOf } from '../merkle.ts'
import { countUnsealed, findLatest, insertCheckpoint, lockSealing, readUnsealed } from './store.ts'

const SEAL_EVERY_MS = 1_000
const MOST_ROWS = 10_000
/** Hashing this many takes about two milliseconds, for which requests wait. */
const AT_ONCE = 250

/** Seals what has been committed, off everybody's path. Any number of processes may; one does at a time. */
export function startSealer(service: Service): { stop(): Promise<void> } {
  const loop = startLoop(SEAL_EVERY_MS, () =>
    sealNext(service).then(
      (count) => count === MOST_ROWS,
      (error: unknown) => {
        service.log.warn({ name: error instanceof Error ? error.name : 'unknown' }, 'sealing the audit was interrupted')
        return false
      },
    ),
  )
  return { stop: loop.end }
}

/** Makes the next checkpoint, if there is anything to seal; tells how many events it seals. */
async function sealNext({ db, keys }: Service): Promise<number> {
  // Where nothing happens, no transaction is opened.
  if (!(await countUnsealed(db, (await findLatest(db))?.sealed_until, 1))) return 0
  return db.transaction().execute(async (tx) => {
    if (!(await lockSealing(tx))) return 0
    const latest = await findLatest(tx)
    const rows = await readUnsealed(tx, latest?.sealed_until, MOST_ROWS)
    if (rows.length === 0) return 0
    const before = latest && readStatement(latest)
    const salt = randomBytes(16).toString('base64url')
    const hashes = await hashAll(rows, salt)
    const number = (before?.checkpoint ?? 0) + 1
    const first_position = (before?.last_position ?? 0) + 1
    const signed = signCheckpoint(keys, {
      checkpoint: number,
      first_position,
      last_position: first_position + rows.length - 1,
      latest_event_at: rows.reduce(
        (newest, { occurred_at }) => (occurred_at > newest ? occurred_at : newest),
        before?.latest_event_at ?? '',
      ),
      previous_hash: latest ? hashCheckpoint(latest) : null,
      root: rootOf(hashes).toString('base64url'),
      sealed_at: (await readClock(tx)).toISOString(),
    })
    const leaves = rows.map(({ id }, position) => ({ id, hash: hashes[position]!.toString('base64url') }))
    await insertCheckpoint(tx, { ...signed, number, salt, leaves })
    return rows.length
  })
}

async function hashAll(rows: SealableRow[], salt: string): Promise<Buffer[]> {
  const hashes: Buffer[] = []
  for (const row of rows) {
    hashes.push(hashLeaf(toLeaf(row, salt)))
    if (hashes.length % AT_ONCE === 0) await letOthersRun()
  }
  return hashes
}
