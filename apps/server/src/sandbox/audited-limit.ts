import { MINUTE_MS, rateLimited } from '../http/load/partner-limits.ts'
import { createWindowCounter } from '../limits/window-counter.ts'
import type { OwnHandler } from './own-handler.ts'

/** Of one sandbox, of each kind: these changes leave audit rows that remain when the sandbox has ended. */
const MAX_AUDITED_PER_MINUTE = 60

const audited = createWindowCounter(MINUTE_MS)

/** `owner`: the sandbox, or what only it has. */
export function countAudited(kind: string, owner: string, limit = MAX_AUDITED_PER_MINUTE): void {
  if (audited.count(`${kind} ${owner}`) > limit) throw rateLimited(audited.msLeft())
}

export const limitAudited =
  (kind: string, handler: OwnHandler, limit?: number): OwnHandler =>
  async (service, sandbox, req) => {
    countAudited(kind, sandbox.sandbox_id, limit)
    return handler(service, sandbox, req)
  }
