import type { Operation } from '../operation.ts'
import { csrfTokenOf } from '../secrets/csrf.ts'

export const readOwnSession: Operation<'readOwnSession'> = async ({ keys, config }, { caller }) => ({
  status: 200,
  body: {
    subject: caller.subject,
    name: caller.session?.name ?? null,
    scopes: caller.scopes.toSorted(),
    environment: config.environment,
    csrf_token: caller.session ? csrfTokenOf(keys, caller.session.hmac) : null,
    expires_at: caller.expiresAt.toISOString(),
  },
})
