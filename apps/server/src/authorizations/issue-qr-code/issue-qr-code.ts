import { Failure, unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { timedHmac } from '../../secrets/timed-hmac.ts'
import { mintQrValue, mintRecordId, mintTrackingNo } from '../../secrets/tokens.ts'
import { insertQrCode } from './issue-qr-code.sql.ts'

const NO_PARTNER =
  'No active partner with this partner_code may use such a QR value, or the registry does not know this citizen'

export const issueQrCode: Operation<'issueQrCode'> = async (
  { db, config, keys },
  { caller, body, requestId },
) => {
  const qr_value = mintQrValue()
  const code = {
    hmac: timedHmac(keys, 'qr_value', qr_value),
    purpose: body.purpose,
    partnerCode: body.partner_code ?? null,
    recordId: mintRecordId(),
    trackingNo: mintTrackingNo(),
  }
  const issued = await insertQrCode(db, caller.uniqidHmacs, code, config.qrTtlSeconds, requestId)
  if (!issued) throw code.partnerCode ? new Failure('not_found', { message: NO_PARTNER }) : unknownCitizen()
  if (!issued.is_permitted) throw new Failure('refused_by_preferences')
  return {
    status: 201,
    body: {
      qr_value,
      expires_at: issued.expires_at.toISOString(),
      refresh_at: issued.refresh_at.toISOString(),
    },
  }
}
