import { documents } from '../contract/documents.ts'
import { Failure } from '../failure.ts'
import type { Operation, Service } from '../operation.ts'
import { findTraffic } from '../requests/requests.sql.ts'
import { signReceipt } from '../secrets/receipt.ts'
import { findEndpoint } from '../webhooks/endpoint.sql.ts'
import { testReceiver } from '../webhooks/receiver-agreement.ts'
import { isReady, NEWEST, runChecks } from './checks.ts'
import { auditReport, findCredentialUses, findSignIns } from './report.sql.ts'

const MAX_REQUESTS = 2_000
/** A receiver answers at once and works later. */
const RECEIVER_TIMEOUT_MS = 5_000

export const writeGoingLiveReport: Operation<'writeGoingLiveReport'> = async (
  service,
  { caller: { partnerId, partnerCode, memberId }, body: { live_partner_code }, requestId, slot },
) => {
  const { db, keys, config } = service
  const { callback_url } = await findEndpoint(db, partnerId)
  const [traffic, credentials, signIns] = await Promise.all([
    findTraffic(db, partnerId, MAX_REQUESTS),
    findCredentialUses(db, partnerId),
    findSignIns(db, partnerId, NEWEST),
  ])
  // The server of the partner may take longer than a request has.
  slot.release()
  const receiver = isOwnServer(service, callback_url)
    ? ((await testReceiver(service, partnerId, callback_url, RECEIVER_TIMEOUT_MS)) ?? '')
    : undefined
  if (!(await slot.reacquire())) throw new Failure('unavailable', { retryAfterSeconds: 1 })
  const checks = runChecks({ traffic, credentials, signIns, receiver })
  const content = {
    live_partner_code,
    contract_version: documents.partner.info.version,
    is_ready: isReady(checks),
    checks,
  }
  const detail = `${content.is_ready ? 'ready' : 'not ready'}, for ${live_partner_code}`
  const at = await auditReport(db, partnerId, { actor: memberId, requestId, detail })
  const receipt = await signReceipt(keys, {
    event: 'report.written',
    subject: partnerCode,
    requestId,
    issuer: config.publicUrl,
    at,
    content,
  })
  return {
    status: 200,
    body: { partner_code: partnerCode, written_at: at.toISOString(), ...content, receipt },
  }
}

/** The inbox of a sandbox is not a server of the partner. */
const isOwnServer = ({ config }: Service, url: string | null): url is string =>
  url !== null && !url.startsWith(`${config.publicUrl}/sandbox/inbox`)
