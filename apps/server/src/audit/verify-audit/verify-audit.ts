import type { Schemas } from '@tiwala/contract'
import type { Operation, Service } from '../../operation.ts'
import { findArchives } from '../archive/archive.sql.ts'
import { findLatest, countUnsealed } from '../sealing/sealing.sql.ts'
import { checkCheckpoint } from './check-checkpoint.ts'
import type { Finding } from './check-leaves.ts'
import { type SaltedCheckpoint, findCheckpointsFrom, findStrayLeaf } from './verify-audit.sql.ts'

/** About one second of work. The caller continues with its next request. */
const MAX_ROWS = 50_000

const MAX_COUNTED = 100_000

export const verifyAudit: Operation<'verifyAudit'> = async (
  service,
  { query: { from_checkpoint = 1, limit = 100 } },
) => {
  const { checkpoints, rows, next, fault } = await verify(service, from_checkpoint, limit)
  const latest = await findLatest(service.db)
  return {
    status: 200,
    body: {
      checked_checkpoints: checkpoints,
      checked_rows: rows,
      unsealed_rows: await countUnsealed(service.db, latest?.sealed_until, MAX_COUNTED),
      next_checkpoint: next,
      // A tampered id may be beyond what a JSON number holds.
      first_fault: fault && { ...fault, event: Number.isSafeInteger(fault.event) ? fault.event : null },
    },
  }
}

type Verified = {
  checkpoints: number
  rows: number
  next: number | null
  fault: Schemas['AuditFault'] | null
}

async function verify(service: Service, from: number, limit: number): Promise<Verified> {
  let before: SaltedCheckpoint | undefined
  const verified: Verified = { checkpoints: 0, rows: 0, next: null, fault: null }
  const stopAt = (checkpoint: number, finding: Finding) => ({
    ...verified,
    fault: { checkpoint, ...finding },
  })

  // Also reads the checkpoint before `from`, which `from` must follow, and one more than `limit`, to know
  // whether more exist.
  const first = Math.max(1, from - 1)
  let archives = await findArchives(service.db)
  const found = await findCheckpointsFrom(service.db, first, limit + 1 + (from - first))
  for (const [index, checkpoint] of found.entries()) {
    const expected = first + index
    if (checkpoint.number !== expected) return stopAt(expected, MISSING)
    if (expected >= from) {
      if (verified.checkpoints === limit || verified.rows >= MAX_ROWS) return { ...verified, next: expected }
      const check = () => checkCheckpoint(service, checkpoint, before, archives)
      let { rows, finding } = await check()
      const known = archives.length
      // A month may have been archived since the archives were read.
      if (finding) archives = await findArchives(service.db)
      if (archives.length > known) ({ rows, finding } = await check())
      if (finding) return stopAt(expected, finding)
      verified.checkpoints += 1
      verified.rows += rows
    }
    before = checkpoint
  }
  const stray = await findStrayLeaf(service.db, before?.number ?? first - 1)
  return stray ? stopAt(stray.checkpoint, MISSING) : verified
}

const MISSING: Finding = { position: null, event: null, what: 'checkpoint_missing' }
