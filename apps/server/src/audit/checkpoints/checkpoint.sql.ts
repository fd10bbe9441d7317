import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { MAX_ID } from '../../database/pagination.ts'
import type { SignedCheckpoint } from './checkpoint.ts'

export type CheckpointRow = SignedCheckpoint & { number: number }

export async function findCheckpoint(db: Database, number: number): Promise<CheckpointRow | undefined> {
  const { rows } = await sql<CheckpointRow>`
    select number, body, signature from audit_checkpoint where number = ${number}`.execute(db)
  return rows[0]
}

/** Newest first. */
export async function findCheckpoints(
  db: Database,
  before: number | undefined,
  limit: number,
): Promise<CheckpointRow[]> {
  const { rows } = await sql<CheckpointRow>`
    select number, body, signature from audit_checkpoint
     where number < ${before ?? MAX_ID}
     order by number desc limit ${limit}`.execute(db)
  return rows
}

export async function findLatestNumber(db: Database): Promise<number | null> {
  const { rows } = await sql<{
    number: number | null
  }>`select max(number) as number from audit_checkpoint`.execute(db)
  return rows[0]!.number
}
