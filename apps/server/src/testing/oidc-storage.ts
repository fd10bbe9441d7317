import type { errors as Errors } from 'oidc-provider'
import { connectPostgres } from '../database/connect.ts'
import { createAdapter, grantHmac } from '../oidc/state-adapter.ts'
import { createKeyRing, parseKeys } from '../secrets/key-ring.ts'

/** The storage of the OpenID Connect provider, for a program that writes many sign-ins as the service writes them. */
export function openOidcStorage(databaseUrl: string, ringJson: string, errors: typeof Errors) {
  const ringKeys = parseKeys(ringJson)
  const keys = createKeyRing(() => ringKeys)
  const { db, close } = connectPostgres(databaseUrl, () => {})
  return {
    adapter: createAdapter({ db, keys }, errors, () => undefined),
    grantHmac: (grantId: string) => grantHmac(keys, grantId),
    close,
  }
}
