import { isDeepStrictEqual } from 'node:util'
import { etagOfBody, readIfMatch } from '../../database/etag.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { Failure, unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { lockPartnerByCode } from '../../partners/partner.sql.ts'
import { findRegistration, putRegistration } from './registration.sql.ts'
import { refuseKeysUrl, requireUsable, toRegistration } from './registration.ts'

export const setSignInRegistration: Operation<'setSignInRegistration'> = async (
  { db, config },
  { caller, path: { partner_code }, query, body: wanted, header, requestId },
) => {
  requireUsable(wanted, config)
  if (caller.onlyPartner !== null && !config.isLocalSandbox && wanted.jwks_url !== null) throw refuseKeysUrl()
  const action = {
    kind: 'partner.changed',
    actor: caller.subject,
    requestId,
    detail: 'sign_in',
    ...query,
  }
  const body = await inTransaction(db, async (tx) => {
    const { rows } = await lockPartnerByCode(tx, partner_code)
    if (!rows.length) throw unknownPartner()
    const present = await findRegistration(tx, partner_code)
    requireMatch(header('If-Match'), present)
    // An unchanged registration is no change, so the audit has none.
    if (!present || !isDeepStrictEqual(toRegistration(present), wanted))
      await putRegistration(tx, partner_code, wanted, action)
    return toRegistration((await findRegistration(tx, partner_code))!)
  })
  return { status: 200, body, headers: { ETag: etagOfBody(body) } }
}

/** Without a registration, nothing matches, not even `*`. */
function requireMatch(header: string | undefined, row: Awaited<ReturnType<typeof findRegistration>>): void {
  const ifMatch = readIfMatch(header)
  const isMatch = row && (ifMatch?.includes(etagOfBody(toRegistration(row))) ?? true)
  if (header !== undefined && !isMatch) throw new Failure('precondition_failed')
}
