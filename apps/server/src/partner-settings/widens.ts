// Which changes of its settings give a partner, or another server, more than before.
import { isDeepStrictEqual } from 'node:util'
import { isWithinRange } from '../partners/allow-list.ts'
import type { Settings, SettingsChange } from './settings.ts'

/**
 * A URL: another one, but not none. Redirect URIs: a further one. Keys: every other key set than some of the present keys,
 * since a partner without keys signs in with its secret. Addresses: one that no present range contains, or the end of the
 * list, which allows all addresses; the first list narrows.
 */
export function widens(present: Settings, { callback_url, sso_url, ...change }: SettingsChange): boolean {
  const { redirect_uris = [], keys = present.keys, jwks_url = present.jwks_url } = change
  const { ip_allow_list = present.ip_allow_list } = change
  const hasOtherKeys = !isDeepStrictEqual([keys, jwks_url], [present.keys, present.jwks_url])
  const onlyRemovesKeys =
    jwks_url === null &&
    keys.length > 0 &&
    keys.every((key) => present.keys.some((known) => isDeepStrictEqual(known, key)))
  const isAllowed = (range: string) => present.ip_allow_list.some((known) => isWithinRange(range, known))
  return (
    [callback_url, sso_url].some((url) => typeof url === 'string') ||
    redirect_uris.some((uri) => !present.redirect_uris?.includes(uri)) ||
    (hasOtherKeys && !onlyRemovesKeys) ||
    (present.ip_allow_list.length > 0 && !(ip_allow_list.length > 0 && ip_allow_list.every(isAllowed)))
  )
}
