import { ageRecords } from '../../authorizations/ageing/store.ts'
import { ageDiagnoses } from '../../diagnostics/store.ts'
import { ageDisputes } from '../../disclosures/dispute.sql.ts'
import { ageCredentials } from '../../partners/ageing/store.ts'
import { ageCodes } from '../../sso/ageing/store.ts'
import { ageDeliveries } from '../../webhooks/ageing/store.ts'
import { MAX_ADVANCE_SECONDS } from '../bootstrap-format.ts'
import { readSeconds, tooFar } from '../move-clock.ts'
import type { OwnHandler } from './own-handler.ts'
import { addAdvance, ageLists } from './store.ts'

/**
 * `{"advance_seconds": 301}` moves the clock of one private sandbox. The clock of the database does not move:
 * everything that belongs to the sandbox gets older instead. The audit is never changed, so its times stay.
 */
export const moveOwnClock: OwnHandler = async (service, sandbox, req) => {
  const { id, partner_id, citizen_ids, advanced_seconds } = sandbox
  const seconds = readSeconds(req)
  const ageing = { partnerId: partner_id, citizenIds: citizen_ids, seconds }
  const isMoved = await service.db.transaction().execute(async (tx) => {
    if (!(await addAdvance(tx, id, seconds, MAX_ADVANCE_SECONDS))) return false
    await ageRecords(tx, ageing)
    await ageCodes(tx, ageing)
    await ageCredentials({ ...service, db: tx }, ageing)
    await ageDeliveries(tx, ageing)
    await ageDiagnoses(tx, ageing)
    await ageDisputes(tx, ageing)
    await ageLists(tx, id, seconds)
    return true
  })
  if (!isMoved) throw tooFar(advanced_seconds, 'Make a new sandbox: POST /sandbox')
  // The transaction is committed: secrets may have expired.
  service.partnerCache.invalidate()
  return { body: { advanced_seconds: advanced_seconds + seconds } }
}
