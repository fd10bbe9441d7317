import { Failure } from '../failure.ts'
import type { Call, Service } from '../operation.ts'
import { accessOf } from '../partners/partner.ts'
import { withCurrentAccess } from '../partners/with-current-access.ts'
import type { RecordRow } from './record.ts'
import { recordDisclosure } from './store.ts'

type Disclosing = Call<'requestAuthorization'> | Call<'profileByQr'>

/** What has to be done before a stored record leaves: a profile in it is recorded as a disclosure, or, past its time, withheld. */
export function recordingDisclosure({ db }: Service, row: RecordRow, call: Disclosing): { commit?: () => Promise<void> } {
  if (row.state !== 'ACCEPTED' && row.state !== 'VIEWED') return {}
  if (!row.snapshot) throw new Failure('result_expired')
  return {
    commit: async () => {
      const { is_recorded } = await withCurrentAccess(call, row.scope, (current) =>
        recordDisclosure(db, row.id, accessOf(current), call.requestId),
      )
      // The citizen's consent or the time has changed since the record was read: a repeated request gets the present answer.
      if (!is_recorded) throw new Failure('unavailable', { retryAfterSeconds: 1 })
    },
  }
}
