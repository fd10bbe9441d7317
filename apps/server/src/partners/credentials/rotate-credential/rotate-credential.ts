import { randomUUID } from 'node:crypto'
import type { Body } from '@tiwala/contract'
import type { AdminAction } from '../../../audit/insert-audit.sql.ts'
import { readClock, daysAfter } from '../../../database/clock.ts'
import type { Database } from '../../../database/connect.ts'
import { unknownPartner } from '../../../failure.ts'
import type { Operation, Service } from '../../../operation.ts'
import { mintSecret } from '../../../secrets/tokens.ts'
import { secretPrefix, toCredential } from '../credential.ts'
import { insertSuccessor } from './rotate-credential.sql.ts'

export const rotateCredential: Operation<'rotateCredential'> = (
  service,
  { caller, path, query, body, requestId },
) => rotate(service, path.partner_code, body, { actor: caller.subject, requestId, ...query })

export async function rotate(
  service: Service,
  partnerCode: string,
  { kind, grace_days }: Body<'rotateCredential'>,
  by: Omit<AdminAction, 'kind' | 'detail'>,
) {
  const { config, keys } = service
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
    is_superseded: false,
    created_at,
    expires_at,
    revoked_at: null,
    last_used_on: null,
  })
  return {
    status: 201 as const,
    body: { credential, secret },
    // The insert comes last: the secret is sent in this response only.
    commit: async (db: Database) => {
      const action = { ...by, kind: 'credential.rotated' }
      const writer = { ...service, db }
      if (!(await insertSuccessor(writer, partnerCode, successor, action))) throw unknownPartner()
    },
  }
}
