import type { Operation } from '../operation.ts'
import { rotate } from './rotate-webhook-secret.ts'

export const rotateOwnWebhookSecret: Operation<'rotateOwnWebhookSecret'> = (
  service,
  { caller, query, body, requestId },
) => rotate(service, caller.partnerCode, body.grace_days, { actor: caller.memberId, requestId, ...query })
