import type { Operation } from '../../operation.ts'
import { findArchives } from '../archive/archive.sql.ts'
import { findLatestNumber } from './checkpoint.sql.ts'
import { toAuditKey } from './checkpoint.ts'

export const listAuditKeys: Operation<'listAuditKeys'> = async ({ db, keys }) => ({
  status: 200,
  body: {
    keys: keys.auditKeys().map(toAuditKey),
    latest_checkpoint: await findLatestNumber(db),
    latest_archived_checkpoint: (await findArchives(db))[0]?.last_checkpoint || null,
  },
})
