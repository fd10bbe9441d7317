import { type PartnerOperations, partnerRoutes, type PartnerSchemas } from '@tiwala/contract/partner'
import { createTransport, type TransportOptions } from '@tiwala/transport'

export type SsoClientOptions = Omit<TransportOptions, 'headers' | 'baseUrl'> & {
  /** `auth_url`: the address of the single sign-on API. */
  authUrl: string
  /** Issued by the administrator. */
  partnerCode: string
  /** Issued by the administrator. Keep it on your server. */
  partnerSecret: string
}

type CallOptions = { signal?: AbortSignal }

export type SsoClient = {
  /** The signed-in citizen's profile with passport, for the exchange code that the citizen app handed to your application. */
  signIn(exchangeCode: string, options?: CallOptions): Promise<PartnerSchemas['SsoProfile']>
  /** The first half of `signIn`: the code for a one-time access token. */
  generateToken(exchangeCode: string, options?: CallOptions): Promise<string>
  /** The second half of `signIn`: the access token, once, for the profile. */
  authenticate(accessToken: string, options?: CallOptions): Promise<PartnerSchemas['SsoProfile']>
}

/** The single sign-on API. Every method rejects with a `TiwalaError` when the service refuses. */
export function createSsoClient({ authUrl, partnerCode, partnerSecret, ...options }: SsoClientOptions): SsoClient {
  const call = createTransport<PartnerOperations>(partnerRoutes, { ...options, baseUrl: authUrl })

  const generateToken: SsoClient['generateToken'] = async (exchangeCode, { signal } = {}) => {
    const request = { partner_code: partnerCode, partner_secret: partnerSecret, scope: 'SSO_AUTHENTICATION', exchange_code: exchangeCode }
    const { body } = await call('generateToken', { body: request, asForm: true, signal })
    return body.access_token
  }
  const authenticate: SsoClient['authenticate'] = async (accessToken, { signal } = {}) => {
    const { body } = await call('authenticate', { headers: { Authorization: `Bearer ${accessToken}` }, signal })
    return body.data
  }
  return {
    generateToken,
    authenticate,
    signIn: async (exchangeCode, callOptions) => authenticate(await generateToken(exchangeCode, callOptions), callOptions),
  }
}
