import type { AdminAction } from '../audit/insert-audit.sql.ts'
import { daysAfter, readClock } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { unknownPartner } from '../failure.ts'
import type { Operation, Service } from '../operation.ts'
import { rotateStoredWebhookSecret } from './webhook-secret.sql.ts'
import { mintSalt, webhookSecret } from './webhook-secret.ts'

export const rotateWebhookSecret: Operation<'rotateWebhookSecret'> = (
  service,
  { caller, path, query, body, requestId },
) => rotate(service, path.partner_code, body.grace_days, { actor: caller.subject, requestId, ...query })

/** A rotation by a member or an administrator. */
export async function rotate(
  { db, keys }: Service,
  partnerCode: string,
  graceDays: number,
  action: Omit<AdminAction, 'kind'>,
) {
  const salt = mintSalt(keys)
  const previousUntil = graceDays > 0 ? daysAfter(await readClock(db), graceDays) : null
  return {
    status: 200 as const,
    body: { webhook_secret: webhookSecret(keys, salt), previous_until: previousUntil?.toISOString() ?? null },
    // The insert comes last: the secret is sent in this response only.
    commit: async (tx: Database) => {
      const rotated = { ...action, kind: 'webhook_secret.rotated' }
      if (!(await rotateStoredWebhookSecret(tx, partnerCode, salt, previousUntil, rotated)))
        throw unknownPartner()
    },
  }
}
