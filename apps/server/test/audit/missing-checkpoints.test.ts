// The newest checkpoints are deleted. Their leaves show that they existed.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyAudit } from '../../src/audit/verify-audit/verify-audit.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Call, Service } from '../../src/operation.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const ringKeys = mintKeys()
const keys = createKeyRing(() => ringKeys)

async function sealEvent(): Promise<number> {
  const [before] = await service.countRows('audit_checkpoint')
  await api.issueQrValue('inquire')
  const count = async () => (await service.countRows('audit_checkpoint'))[0]!
  await expect.poll(count, { interval: 20 }).toBeGreaterThan(before!)
  return count()
}

/** Deletes checkpoints, verifies the audit from a checkpoint on, and restores them. */
async function faultWithout(checkpoints: string, from_checkpoint: number) {
  const verify = async (tx: Database) => {
    await sql`alter table audit_checkpoint disable trigger insert_only`.execute(tx)
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(`delete from audit_checkpoint where ${checkpoints}`).execute(tx)
    const call = { query: { from_checkpoint } } as Call<'verifyAudit'>
    return verifyAudit({ db: tx, keys } as Service, call)
  }
  const tx = await service.db.startTransaction().execute()
  try {
    return (await verify(tx)).body.first_fault
  } finally {
    await tx.rollback().execute()
  }
}

test('a missing checkpoint is found by its leaves, also if it is the last or the only one', async () => {
  await sealEvent()
  const last = await sealEvent()
  const missing = (checkpoint: number) => ({
    checkpoint,
    position: null,
    event: null,
    what: 'checkpoint_missing',
  })
  expect(await faultWithout(`number = ${last}`, last)).toEqual(missing(last))
  expect(await faultWithout('true', last)).toEqual(missing(last - 1))
  expect(await faultWithout('true', 1)).toEqual(missing(1))
  expect(await faultWithout('false', last + 1)).toBeNull()
})
