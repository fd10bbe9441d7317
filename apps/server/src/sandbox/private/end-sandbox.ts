import { deleteRecordsOf } from '../../authorizations/ageing/store.ts'
import { startPollLoop } from '../../background/poll-loop.ts'
import { deleteCitizens } from '../../citizens/erase-citizen/erase-citizen.sql.ts'
import { describeError } from '../../describe-error.ts'
import { deleteDiagnosesOf } from '../../diagnostics/store.ts'
import { deleteDisputesOf } from '../../disclosures/dispute.sql.ts'
import type { Service } from '../../operation.ts'
import { deleteAccessOf } from '../../partners/ageing/store.ts'
import { deleteCodesOf } from '../../sso/ageing/store.ts'
import { deleteDeliveriesOf } from '../../webhooks/ageing/store.ts'
import { deleteSandbox, findEnded, type PrivateSandbox } from './store.ts'

const CHECK_EVERY_MS = 60_000
const BATCH_SIZE = 20

/**
 * Deletes everything of a private sandbox except its partner's row and the audit. Its slot, and with it the
 * partner, is free for a new sandbox.
 */
export function endSandbox(
  service: Service,
  { id, partner_id, citizen_ids }: Pick<PrivateSandbox, 'id' | 'partner_id' | 'citizen_ids'>,
): Promise<void> {
  return service.db.transaction().execute(async (tx) => {
    // First, since every statement that needs both locks takes those of citizens before those of records.
    await deleteCitizens(tx, citizen_ids)
    await deleteAccessOf({ ...service, db: tx }, partner_id)
    await deleteRecordsOf(tx, partner_id)
    await deleteCodesOf(tx, partner_id)
    await deleteDisputesOf(tx, partner_id)
    await deleteDiagnosesOf(tx, partner_id)
    await deleteDeliveriesOf(tx, partner_id)
    await deleteSandbox(tx, id)
  })
}

/** Deletes the sandboxes whose time is over. Any number of processes may do it. */
export function startEndingSandboxes(service: Service): { stop(): Promise<void> } {
  const loop = startPollLoop(CHECK_EVERY_MS, async () => {
    try {
      const ended = await findEnded(service.db, BATCH_SIZE)
      for (const sandbox of ended) await endSandbox(service, sandbox)
      return ended.length === BATCH_SIZE
    } catch (error) {
      service.log.warn(
        describeError(error),
        'private sandboxes could not be deleted; the next attempt is in a minute',
      )
      return false
    }
  })
  const stopListening = service.notifications.onClock(loop.wake)
  return {
    stop: () => {
      stopListening()
      return loop.end()
    },
  }
}
