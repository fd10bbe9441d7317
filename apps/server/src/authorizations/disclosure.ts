import { Failure } from '../http/failure.ts'
import type { Service } from '../operation.ts'
import type { RecordRow } from './record.ts'
import { recordDisclosure } from './store.ts'

/** What has to be done before a stored record leaves: a profile in it is recorded as a disclosure, or, past its time, withheld. */
export function disclosing({ db }: Service, row: RecordRow, partnerId: number, requestId: string): { commit?: () => Promise<void> } {
  if (row.state !== 'ACCEPTED' && row.state !== 'VIEWED') return {}
  if (!row.snapshot) throw new Failure('result_expired')
  return {
    commit: async () => {
      // Consent, partner or time changed in between: asking again tells what holds now.
      if (!(await recordDisclosure(db, row.id, partnerId, requestId))) throw new Failure('unavailable', { retryAfterSeconds: 1 })
    },
  }
}
