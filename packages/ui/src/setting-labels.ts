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
