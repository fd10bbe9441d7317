import { type PartnerOperations, partnerRoutes, type PartnerSchemas } from '@tiwala/contract/partner'
import { createTransport, type TransportOptions } from '@tiwala/transport'

export type SsoClientOptions = Omit<TransportOptions, 'headers' | 'baseUrl'> & {
  /** The address of the single sign-on API (`auth_url`). */
  authUrl: string
  /** Your partner code, from the administrator. */
  partnerCode: string
  /** Your partner secret, from the administrator. Keep it on your server. */
  partnerSecret: string
}

type CallOptions = {
  /** Aborts the request. The method then rejects with the reason of the signal. */
  signal?: AbortSignal
}

export type SsoClient = {
  /**
   * Resolves with the profile and the passport of the signed-in citizen. Pass the exchange code that the
   * citizen app handed to your application. It is `generateToken` followed by `authenticate`, and rejects
   * with their codes.
   */
  signIn(exchangeCode: string, options?: CallOptions): Promise<PartnerSchemas['SsoProfile']>
  /**
   * Exchanges the code for a single-use access token. Rejects with the code `exchange_code_invalid` if the
   * exchange code is unknown, used, expired or not yours, or `partner_invalid` if the partner code or the
   * secret is wrong.
   */
  generateToken(exchangeCode: string, options?: CallOptions): Promise<string>
  /**
   * Exchanges the access token for the profile. The token works once. Rejects with the code `token_invalid`,
   * `token_expired` or `token_used` if the token is not valid.
   */
  authenticate(accessToken: string, options?: CallOptions): Promise<PartnerSchemas['SsoProfile']>
}

/**
 * Creates a client of the single sign-on API. Each method rejects with a `TiwalaError` if the service refuses
 * the request, with a `TypeError` if the connection fails, and with a `TimeoutError` if the request takes too
 * long.
 */
export function createSsoClient({
  authUrl,
  partnerCode,
  partnerSecret,
  ...options
}: SsoClientOptions): SsoClient {
  const call = createTransport<PartnerOperations>(partnerRoutes, { ...options, baseUrl: authUrl })

  const generateToken: SsoClient['generateToken'] = async (exchangeCode, { signal } = {}) => {
    const request = {
      partner_code: partnerCode,
      partner_secret: partnerSecret,
      scope: 'SSO_AUTHENTICATION',
      exchange_code: exchangeCode,
    }
    const { body } = await call('generateToken', { body: request, asForm: true, signal })
    return body.access_token
  }
  const authenticate: SsoClient['authenticate'] = async (accessToken, { signal } = {}) => {
    const { body } = await call('authenticate', {
      headers: { Authorization: `Bearer ${accessToken}` },
      signal,
    })
    return body.data
  }
  return {
    generateToken,
    authenticate,
    signIn: async (exchangeCode, callOptions) =>
      authenticate(await generateToken(exchangeCode, callOptions), callOptions),
  }
}
