import { insertApproval, MAX_IN_A_DAY } from '../approvals/approval.sql.ts'
import { needsApproval } from '../approvals/approval.ts'
import { etagOfBody, readIfMatch } from '../database/etag.ts'
import { Failure } from '../failure.ts'
import { asAdmin } from '../members/as-admin.ts'
import type { Operation } from '../operation.ts'
import { mintApprovalId } from '../secrets/tokens.ts'
import { applySettings } from './apply-settings.ts'
import { describeSettings } from './read-settings.ts'
import { differenceOf, findSettings, pick, requireUsableSettings, type SettingsChange } from './settings.ts'
import { widens } from './widens.ts'

export const changeSettings: Operation<'changeSettings'> = async (
  service,
  { caller, query, body: wanted, header, requestId },
) => {
  const { memberId: actor, partnerId, partnerCode } = caller
  const { db, config, partnerCache } = service
  const by = { actor, requestId, ...query }
  const ifMatch = readIfMatch(header('If-Match'))
  await asAdmin(db, caller, async (tx) => {
    if (ifMatch && !ifMatch.includes(etagOfBody(await describeSettings({ ...service, db: tx }, partnerCode))))
      throw new Failure('precondition_failed')
    const present = await findSettings(tx, partnerCode)
    const change = differenceOf(present.settings, wanted)
    const names = Object.keys(change) as (keyof SettingsChange)[]
    if (!names.length) return
    if (!needsApproval(config, 'settings') || !widens(present.settings, change))
      return applySettings({ ...service, db: tx }, present, change, by)
    requireUsableSettings(config, present, change)
    const approval = {
      approvalId: mintApprovalId(),
      kind: 'settings' as const,
      partnerId,
      change,
      previous: pick(present.settings, names),
      days: config.approvals.days,
    }
    if (!(await insertApproval(tx, approval, by)))
      throw new Failure('rate_limited', {
        retryAfterSeconds: 3_600,
        message: `The partner has asked for ${MAX_IN_A_DAY} changes in 24 hours`,
      })
  })
  // Until the commit, another request may have read the state before it.
  partnerCache.invalidate()
  const body = await describeSettings(service, partnerCode)
  return { status: 200, body, headers: { ETag: etagOfBody(body) } }
}
