import { isDeepStrictEqual } from 'node:util'
import type { Schemas } from '@tiwala/contract'
import { readIfMatch } from '../../database/etag.ts'
import { Failure, unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { requireRanges } from '../allow-list.ts'
import { changeOrAsk } from '../change-or-ask.ts'
import { limitsOf, type PartnerRow, toPartner } from '../partner.ts'
import { findSimilar, requirePlainLetters } from '../similar-names.ts'
import { requireSsoUrl } from '../sso-url.ts'
import { updatePartner } from './change-partner.sql.ts'

export const changePartner: Operation<'changePartner'> = async (
  service,
  { caller, path, query, body, header, requestId },
) => {
  const { config } = service
  requireSsoUrl(body.sso_url, config.environment)
  requireRanges('ip_allow_list', body.ip_allow_list)
  requirePlainLetters(body)
  const by = { actor: caller.subject, requestId, ...query }
  const ifMatch = readIfMatch(header('If-Match'))
  return changeOrAsk(service, path.partner_code, 'scope', by, {
    differenceOf: (partner) => {
      if (!body.scopes?.some((scope) => !partner.scopes.includes(scope))) return undefined
      if (ifMatch && !ifMatch.includes(partner.etag)) throw new Failure('precondition_failed')
      return differenceOf(partner, body)
    },
    change: async (within) => {
      const action = { ...by, kind: 'partner.changed', detail: Object.keys(body).join(' ') }
      const partner = await updatePartner(within, path.partner_code, body, action, ifMatch)
      if (!partner) throw unknownPartner()
      if (!partner.is_match) throw new Failure('precondition_failed')
      // A visitor of the sandbox must not learn the codes of others.
      const isShown = body.name !== undefined && caller.onlyPartner === null
      const similar = isShown ? await findSimilar(within.db, partner) : {}
      return {
        status: 200 as const,
        body: { ...toPartner(partner), ...similar },
        headers: { ETag: partner.etag },
      }
    },
  })
}

/** The fields that a change gives another value, before and after it. */
function differenceOf(partner: PartnerRow, { limits, ...body }: Schemas['PartnerChange']) {
  const present = toPartner(partner)
  const wanted = { ...body, ...(limits && { limits: limitsOf({ ...partner.limits, ...limits }) }) }
  const names = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (name) => !isDeepStrictEqual(wanted[name], present[name]),
  )
  const pick = (values: typeof wanted) => Object.fromEntries(names.map((name) => [name, values[name]]))
  return { change: pick(wanted), previous: pick(present) }
}
