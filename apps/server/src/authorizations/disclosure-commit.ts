import { Failure } from '../failure.ts'
import type { Call, Service } from '../operation.ts'
import { withCurrentAccess } from '../partners/access.ts'
import { accessOf } from '../partners/partner.ts'
import { writeDisclosure } from './disclosure-commit.sql.ts'
import { limitDisclosures } from './disclosure-limit.ts'
import type { RecordRow } from './record.ts'

type DisclosingCall = Pick<Call<'requestAuthorization'>, 'caller' | 'reauthenticate' | 'requestId'>

/**
 * Returns the commit that records the disclosure before a stored record is sent, if the record contains a
 * profile. Throws if the profile may no longer be read.
 */
export function disclosureCommit(
  { db, config }: Service,
  row: RecordRow,
  call: DisclosingCall,
): { commit?: () => Promise<void> } {
  if (row.state !== 'ACCEPTED' && row.state !== 'VIEWED') return {}
  if (!row.snapshot) throw new Failure('result_expired')
  return {
    commit: async () => {
      const record = { partner_id: call.caller.id, tracking_no: row.tracking_no }
      const { is_recorded } = await withCurrentAccess(call, row.scope, (current) =>
        limitDisclosures(
          record,
          config.disclosuresPerRecordAndHour,
          () => writeDisclosure(db, row.tracking_no, accessOf(current), call.requestId),
          (written) => written.is_recorded,
        ),
      )
      // The citizen's consent ended, or the profile's time, since the record was read. A repeated request
      // gets the current state.
      if (!is_recorded) throw new Failure('unavailable', { retryAfterSeconds: 1 })
    },
  }
}
