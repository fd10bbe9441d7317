import { isDeepStrictEqual } from 'node:util'
import type { Schemas } from '@tiwala/contract'
import type { Config } from '../config.ts'
import type { Database } from '../database/connect.ts'
import { Failure, unknownPartner } from '../failure.ts'
import { requireSafeCallback } from '../network/safe-url.ts'
import { requireRanges } from '../partners/allow-list.ts'
import { findPartner } from '../partners/partner.sql.ts'
import type { PartnerRow } from '../partners/partner.ts'
import { requireSsoUrl } from '../partners/sso-url.ts'
import { findRegistration, type RegistrationRow } from '../sign-ins/registration/registration.sql.ts'
import { refuseKeysUrl, requireUsable, toRegistration } from '../sign-ins/registration/registration.ts'

export type SettingsChange = Schemas['SettingsChange']
/** What a partner can change itself. */
export type Settings = Pick<Schemas['PartnerSettings'], keyof SettingsChange>
export type Present = { partner: PartnerRow; registration: RegistrationRow | undefined; settings: Settings }

export async function findSettings(db: Database, partnerCode: string): Promise<Present> {
  const partner = await findPartner(db, partnerCode)
  const registration = await findRegistration(db, partnerCode)
  if (!partner) throw unknownPartner()
  const { callback_url, sso_url, ip_allow_list } = partner
  const { redirect_uris = null, keys = [], jwks_url = null } = registration ?? {}
  return {
    partner,
    registration,
    settings: { callback_url, sso_url, ip_allow_list, redirect_uris, keys, jwks_url },
  }
}

/** The settings that differ. `keys` and `jwks_url` are one setting: a partner has one of them. */
export function differenceOf(settings: Settings, wanted: SettingsChange): SettingsChange {
  const names = (Object.keys(wanted) as (keyof SettingsChange)[]).filter(
    (name) => !isDeepStrictEqual(wanted[name], settings[name]),
  )
  if (!names.includes('keys') && !names.includes('jwks_url')) return pick(wanted, names)
  const { keys, jwks_url } = { ...settings, ...wanted }
  return { ...pick(wanted, names), keys, jwks_url }
}

export const pick = <Value extends object>(values: Value, names: (keyof Value)[]): Partial<Value> =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Value>

/** Only sign-ins by OpenID Connect need these. */
export function signInPartOf({ redirect_uris, keys, jwks_url }: SettingsChange) {
  return {
    ...(redirect_uris && { redirect_uris }),
    ...(keys && { keys }),
    ...(jwks_url !== undefined && { jwks_url }),
  }
}

/** Refuses what the operations of an administrator refuse, too. */
export function requireUsableSettings(
  config: Config,
  { registration }: Present,
  change: SettingsChange,
): void {
  const { environment, isPublicSandbox, callbackAddresses } = config
  // Otherwise each visitor could have the service send requests to a server of others.
  if (isPublicSandbox) {
    if (change.callback_url) throw refuse('callback_url', 'is set at the page of this sandbox')
    if (change.jwks_url) throw refuseKeysUrl()
  }
  requireSafeCallback(change.callback_url, callbackAddresses)
  requireSsoUrl(change.sso_url, environment)
  requireRanges('ip_allow_list', change.ip_allow_list)
  const [name] = Object.keys(signInPartOf(change))
  if (name === undefined) return
  if (!registration) throw refuse(name, 'needs a registration for OpenID Connect by an administrator first')
  requireUsable({ ...toRegistration(registration), ...signInPartOf(change) }, config)
}

const refuse = (field: string, message: string) =>
  new Failure('validation_failed', { errors: { [field]: [message] } })
