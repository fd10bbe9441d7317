import type { Schemas } from '@tiwala/contract'

/** The names of a partner's settings, for people. */
export const SETTING_LABELS: Record<keyof Schemas['SettingsChange'], string> = {
  callback_url: 'Callback URL',
  sso_url: 'SSO URL',
  redirect_uris: 'Redirect URIs',
  ip_allow_list: 'Allowed addresses',
  jwks_url: 'JWKS URL',
  keys: 'Public keys',
}

/** The names of a partner's secrets. In brackets, as the API names them. */
export const CREDENTIAL_LABELS: Record<Schemas['Credential']['kind'], string> = {
  secret_token: 'API secret (X-Secret-Token)',
  partner_secret: 'Sign-in secret (partner_secret)',
}
