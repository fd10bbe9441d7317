import { listConsents } from '../authorizations/list-authorizations/list-authorizations.sql.ts'
import { toDisclosure, toDispute } from '../disclosures/disclosure.ts'
import { listAllDisputes } from '../disclosures/dispute.sql.ts'
import { readHistory } from '../disclosures/list-disclosures.ts'
import { unknownCitizen } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findCitizenFacts } from './read-citizen.sql.ts'

const NEWEST = 20

export const readCitizen: Operation<'readCitizen'> = async (service, { caller, path, query, requestId }) => {
  const { db, keys } = service
  const uniqidHmacs = keys.hmacs('uniqid', path.uniqid)
  const facts = await findCitizenFacts(db, uniqidHmacs, { actor: caller.subject, requestId, ...query })
  if (!facts) throw unknownCitizen()
  const [requests, disclosures, disputes] = await Promise.all([
    listConsents(db, uniqidHmacs, { state: 'PENDING', after: undefined, limit: NEWEST }),
    readHistory(service, uniqidHmacs, undefined, NEWEST),
    listAllDisputes(db, { uniqidHmacs, limit: NEWEST }),
  ])
  const body = {
    changed_at: facts.changed_at?.toISOString() ?? null,
    frozen: facts.frozen,
    blocked_partners: facts.blocked_partners,
    open_requests: requests.map((row) => ({
      tracking_no: row.tracking_no,
      partner_code: row.partner_code,
      partner_name: row.name,
      state: row.state,
      requested_at: row.requested_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
    })),
    disclosures: disclosures.map((row) => {
      // Which items a citizen shared is the citizen's own affair.
      const { fields: _, ...disclosure } = toDisclosure(row)
      return disclosure
    }),
    disputes: disputes.map(toDispute),
  }
  return { status: 200, body }
}
