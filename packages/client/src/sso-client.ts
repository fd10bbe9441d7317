import type { PartnerSchemas } from '@tiwala/contract/partner'
import { TiwalaError } from '@tiwala/transport'
import { assertHttpUrl, assertSecret, assertText, assertToken } from './check-arguments.ts'
import type { Call, CallOptions, ClientOptions, WithRequestId } from './client-options.ts'
import { fromEnvironment } from './environment.ts'
import {
  call,
  createPartnerApi,
  DEFAULT_MAX_RETRIES,
  initOf,
  toFormData,
  withRequestId,
} from './partner-api.ts'

export type SsoClientOptions = Omit<ClientOptions, 'maxRetries'> & {
  /**
   * The address of the single sign-on API (`auth_url`). Slashes at its end make no difference. Default: the environment
   * variable `TIWALA_AUTH_URL`.
   */
  authUrl?: string | undefined
  /** Your partner code, from the administrator. Default: the environment variable `TIWALA_PARTNER_CODE`. */
  partnerCode?: string | undefined
  /**
   * Your partner secret, from the administrator. Keep it on your server. Default: the environment variable
   * `TIWALA_PARTNER_SECRET`.
   */
  partnerSecret?: string | undefined
}

/** The profile of the signed-in citizen, with the ID of the request that disclosed it. */
export type SignedInProfile = WithRequestId<PartnerSchemas['SsoProfile']>

export type ExchangeOptions = CallOptions & {
  /** The verifier of this sign-in, if you passed its `code_challenge` to the citizen app (RFC 7636, `S256`). */
  codeVerifier?: string | undefined
}

export type SsoClient = {
  /**
   * Resolves with the profile and the passport of the signed-in citizen. Pass the exchange code that the
   * citizen app handed to your application. It is `generateToken` followed by `authenticate`, and rejects
   * with their codes. After a temporary refusal of `authenticate`, it repeats this step at most twice.
   */
  signIn(exchangeCode: string, options?: ExchangeOptions): Call<SignedInProfile>
  /**
   * Exchanges the code for a single-use access token. Rejects with the code `exchange_code_invalid` if the
   * exchange code is unknown, used, expired or not yours, or if `codeVerifier` is not its verifier, and with the code
   * `partner_invalid` if the partner code or the secret is wrong.
   * @operation generateToken
   * @example await tiwala.generateToken('twx_theCodeFromTheCitizenApp')
   */
  generateToken(exchangeCode: string, options?: ExchangeOptions): Call<string>
  /**
   * Exchanges the access token for the profile. The token works once. Rejects with the code `token_invalid`,
   * `token_expired` or `token_used` if the token is not valid.
   * @operation authenticate
   * @example await tiwala.authenticate(process.env.ACCESS_TOKEN)
   */
  authenticate(accessToken: string, options?: CallOptions): Call<SignedInProfile>
}

/**
 * Creates a client of the single sign-on API. Throws a `TypeError` if an option is missing or the secret is
 * not complete. Each method rejects with a `TiwalaError` if the service refuses the request, with a
 * `TiwalaConnectionError` if there is no response, and with a `TypeError` if an argument is missing. No
 * method sends a code or a token again that may be used up.
 */
export function createSsoClient({
  authUrl = fromEnvironment('TIWALA_AUTH_URL', 'authUrl'),
  partnerCode = fromEnvironment('TIWALA_PARTNER_CODE', 'partnerCode'),
  partnerSecret = fromEnvironment('TIWALA_PARTNER_SECRET', 'partnerSecret'),
  ...options
}: SsoClientOptions = {}): SsoClient {
  assertHttpUrl('authUrl', authUrl)
  assertToken('partnerCode', partnerCode)
  assertSecret('partnerSecret', partnerSecret, 'tws')
  const api = createPartnerApi({ ...options, baseUrl: authUrl })

  const generateToken: SsoClient['generateToken'] = (exchangeCode, { codeVerifier, ...callOptions } = {}) =>
    call(
      async () => {
        assertText('exchangeCode', exchangeCode)
        return api.POST('/api/token', {
          body: {
            partner_code: partnerCode,
            partner_secret: partnerSecret,
            scope: 'SSO_AUTHENTICATION',
            exchange_code: exchangeCode,
            ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
          },
          bodySerializer: toFormData,
          ...initOf({ ...callOptions, maxRetries: 0 }),
        })
      },
      ({ data }) => data!.access_token,
    )
  const sendToken = async (accessToken: string, maxRetries: number, callOptions?: CallOptions) => {
    assertToken('accessToken', accessToken)
    return api.POST('/api/partner/sso_authentication', {
      headers: { Authorization: `Bearer ${accessToken}` },
      ...initOf({ ...callOptions, maxRetries }),
    })
  }
  return {
    generateToken,
    authenticate: (accessToken, callOptions) =>
      call(() => sendToken(accessToken, 0, callOptions), withRequestId),
    signIn: (exchangeCode, callOptions) =>
      call(async () => {
        const accessToken = await generateToken(exchangeCode, callOptions)
        return sendToken(accessToken, DEFAULT_MAX_RETRIES, callOptions).catch((error: unknown) => {
          // The code is used up. The same call would send it again, which revokes the token.
          throw error instanceof TiwalaError ? Object.assign(error, { isRetryable: false }) : error
        })
      }, withRequestId),
  }
}
