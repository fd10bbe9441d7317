import type { AdminAction } from '../audit/insert-audit.sql.ts'
import type { Service } from '../operation.ts'
import { updatePartner } from '../partners/change-partner/change-partner.sql.ts'
import { setCallbackUrl } from '../partners/set-callback/set-callback.sql.ts'
import { putRegistration } from '../sign-ins/registration/registration.sql.ts'
import { toRegistration } from '../sign-ins/registration/registration.ts'
import { type Present, requireUsableSettings, type SettingsChange, signInPartOf } from './settings.ts'

/** Makes a change, with the statements of the administrators' operations. `service.db`: a transaction with the partner locked. */
export async function applySettings(
  service: Service,
  present: Present,
  change: SettingsChange,
  by: Omit<AdminAction, 'kind' | 'detail'>,
): Promise<void> {
  const partnerCode = present.partner.partner_code
  requireUsableSettings(service.config, present, change)
  const { callback_url, redirect_uris: _uris, keys: _keys, jwks_url: _url, ...ofPartner } = change
  const action = (names: string[]) => ({ ...by, kind: 'partner.changed', detail: names.join(' ') })
  if (callback_url !== undefined)
    await setCallbackUrl(service, partnerCode, callback_url, action(['callback_url']))
  const names = Object.keys(ofPartner)
  if (names.length) await updatePartner(service, partnerCode, ofPartner, action(names))
  const signIn = signInPartOf(change)
  if (Object.keys(signIn).length) {
    const registration = { ...toRegistration(present.registration!), ...signIn }
    await putRegistration(service.db, partnerCode, registration, action(Object.keys(signIn)))
  }
}
