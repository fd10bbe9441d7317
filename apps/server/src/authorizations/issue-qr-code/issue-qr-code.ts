import { unknownCitizen, Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { mintQrValue, mintRecordId, mintTrackingNo } from '../../secrets/tokens.ts'
import { insertQrCode } from './issue-qr-code.sql.ts'

export const issueQrCode: Operation<'issueQrCode'> = async (
  { db, config, keys },
  { caller, body, requestId },
) => {
  const qr_value = mintQrValue()
  const code = {
    hmac: keys.hmac('qr_value', qr_value),
    purpose: body.purpose,
    recordId: mintRecordId(),
    trackingNo: mintTrackingNo(),
  }
  const issued = await insertQrCode(db, caller.uniqidHmacs, code, config.qrTtlSeconds, requestId)
  if (!issued) throw unknownCitizen()
  if (issued.frozen) throw new Failure('refused_by_preferences')
  return {
    status: 201,
    body: {
      qr_value,
      expires_at: issued.expires_at.toISOString(),
      refresh_at: issued.refresh_at.toISOString(),
    },
  }
}
