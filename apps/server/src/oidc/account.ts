import type { Account, errors as Errors, FindAccount, KoaContextWithOIDC } from 'oidc-provider'
import { decryptCitizen } from '../citizens/citizen-encryption.ts'
import type { Service } from '../operation.ts'
import { claimsOf } from '../sign-ins/items.ts'
import { type DisclosedCitizen, discloseSignIn, discloseUserinfo } from '../sign-ins/sign-in.sql.ts'
import { authenticatedBy, exchangeOf } from './client-secret.ts'
import { grantHmacs } from './state-adapter.ts'

/**
 * The citizen of a code or an access token. The library asks for the claims last, when it has checked everything of the
 * protocol. The statement that discloses runs then, and its rows are all that the ID token and userinfo contain.
 */
export function createFindAccount(service: Service, errors: typeof Errors): FindAccount {
  const { db, keys, config } = service

  const read = async (
    ctx: KoaContextWithOIDC,
    use: string,
    token: { kind: string; grantId?: string | undefined; clientId?: string | undefined },
  ): Promise<DisclosedCitizen | undefined> => {
    const disclosure = {
      grantHmacs: grantHmacs(keys, token.grantId ?? ''),
      partnerCode: token.clientId ?? '',
      levels: config.acrValues,
      requestId: exchangeOf(ctx.req).requestId,
    }
    if (use === 'id_token' && token.kind === 'AuthorizationCode')
      return discloseSignIn(db, { ...disclosure, credentialId: authenticatedBy(ctx.req) })
    if (use === 'userinfo' && token.kind === 'AccessToken') return discloseUserinfo(db, disclosure)
    return undefined
  }

  return (ctx, sub, token): Account => ({
    accountId: sub,
    claims: async (use) => {
      const citizen = token && (await read(ctx, use, token))
      if (citizen?.subject !== sub)
        throw use === 'userinfo'
          ? new errors.InvalidToken('the sign-in has ended')
          : new errors.InvalidGrant('the sign-in has ended')
      return { sub, ...claimsOf(decryptCitizen(keys, citizen), citizen.shared_items) }
    },
  })
}
