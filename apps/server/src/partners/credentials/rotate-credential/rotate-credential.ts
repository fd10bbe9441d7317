import { randomUUID } from 'node:crypto'
import { readClock, daysAfter } from '../../../database/clock.ts'
import { unknownPartner } from '../../../failure.ts'
import type { Operation } from '../../../operation.ts'
import { mintSecret } from '../../../secrets/tokens.ts'
import { secretPrefix, toCredential } from '../credential.ts'
import { insertSuccessor } from './rotate-credential.sql.ts'

export const rotateCredential: Operation<'rotateCredential'> = async (
  service,
  { caller, path, query, body, requestId },
) => {
  const { config, keys } = service
  const { kind, grace_days } = body
  const secret = mintSecret(secretPrefix(config.environment, kind))
  const id = `crd_${randomUUID().replaceAll('-', '')}`
  const created_at = await readClock(service.db)
  const expires_at = daysAfter(created_at, config.secretTtlDays)
  const successor = {
    id,
    kind,
    hmac: keys.hmac(kind, secret),
    createdAt: created_at,
    expiresAt: expires_at,
    graceDays: grace_days,
  }
  const credential = toCredential({
    id,
    kind,
    status: 'ACTIVE',
    created_at,
    expires_at,
    revoked_at: null,
    last_used_on: null,
  })
  return {
    status: 201,
    body: { credential, secret },
    // The insert comes last: the secret is sent in this response only.
    commit: async (db) => {
      const action = { kind: 'credential.rotated', actor: caller.subject, requestId, ...query }
      const writer = { ...service, db }
      if (!(await insertSuccessor(writer, path.partner_code, successor, action))) throw unknownPartner()
    },
  }
}
