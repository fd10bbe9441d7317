import { describeError } from '../../describe-error.ts'
import type { Service } from '../../operation.ts'
import { updateLastUse } from './credential.sql.ts'

/** HMACs of secrets whose use is being written. */
const inFlight = new Set<string>()

/**
 * Records the day of a secret's last use. No request waits for it; if it fails, the next use records the day.
 */
export function storeLastUse({ db, log }: Service, partnerId: number, hmac: string, day: string): void {
  if (inFlight.has(hmac)) return
  inFlight.add(hmac)
  void updateLastUse(db, partnerId, hmac, day)
    .catch((error: unknown) =>
      log.warn(describeError(error), 'the use of a credential could not be recorded; its next use is'),
    )
    .finally(() => inFlight.delete(hmac))
}
