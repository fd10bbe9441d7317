import { daysAfter, readClock } from '../database/clock.ts'
import { unknownPartner } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { rotateStoredWebhookSecret } from './webhook-secret.sql.ts'
import { mintSalt, webhookSecret } from './webhook-secret.ts'

export const rotateWebhookSecret: Operation<'rotateWebhookSecret'> = async (
  { db, keys },
  { caller, path, query, body: { grace_days }, requestId },
) => {
  const salt = mintSalt(keys)
  const previousUntil = grace_days > 0 ? daysAfter(await readClock(db), grace_days) : null
  return {
    status: 200,
    body: { webhook_secret: webhookSecret(keys, salt), previous_until: previousUntil?.toISOString() ?? null },
    // The insert comes last: the secret is sent in this response only.
    commit: async (tx) => {
      const action = { kind: 'webhook_secret.rotated', actor: caller.subject, requestId, ...query }
      if (!(await rotateStoredWebhookSecret(tx, path.partner_code, salt, previousUntil, action)))
        throw unknownPartner()
    },
  }
}
