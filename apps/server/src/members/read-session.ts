import type { Operation } from '../operation.ts'
import { csrfTokenOf } from '../secrets/csrf.ts'
import { findMemberships } from './session.sql.ts'

export const readSession: Operation<'readSession'> = async ({ db, keys, config }, { caller }) => ({
  status: 200,
  body: {
    member_id: caller.memberId,
    email: caller.email,
    role: caller.role,
    partner_code: caller.partnerCode,
    partner_name: caller.partnerName,
    partners: await findMemberships(db, caller.memberId),
    environment: config.environment,
    csrf_token: caller.sessionHmac ? csrfTokenOf(keys, caller.sessionHmac) : null,
    expires_at: caller.expiresAt.toISOString(),
  },
})
