import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { timedHmac } from '../../secrets/timed-hmac.ts'
import { mintExchangeCode } from '../../secrets/tokens.ts'
import { insertExchangeCode } from './issue-exchange-code.sql.ts'

export const issueExchangeCode: Operation<'issueExchangeCode'> = async (
  { db, config, keys },
  { caller, body, requestId },
) => {
  const exchange_code = mintExchangeCode()
  const issued = await insertExchangeCode(
    db,
    caller.uniqidHmacs,
    body.partner_code,
    {
      hmac: timedHmac(keys, 'exchange_code', exchange_code),
      challenge: body.code_challenge,
      hasState: body.state !== undefined,
      ttlSeconds: config.exchangeCodeTtlSeconds,
    },
    requestId,
  )
  if (!issued)
    throw new Failure('not_found', {
      message:
        'No active partner with this partner_code may sign citizens in, or the registry does not know this citizen',
    })
  if (!issued.is_permitted) throw new Failure('refused_by_preferences')
  return {
    status: 201,
    body: {
      exchange_code,
      expires_at: issued.expires_at.toISOString(),
      redirect_url: redirectUrl(issued.sso_url, exchange_code, body.state),
    },
  }
}

/** Appends to the text, since the partner compares its own part byte by byte. */
function redirectUrl(ssoUrl: string | null, exchangeCode: string, state: string | undefined): string | null {
  if (!ssoUrl) return null
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/.exec(ssoUrl) ?? []
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  const ofState = state === undefined ? '' : `&state=${encodeURIComponent(state)}`
  return `${address}${separator}exchange_code=${encodeURIComponent(exchangeCode)}${ofState}${fragment}`
}
